"""What other compiled modules may use of batches."""

from meldwise.solver._compiled_kernel cimport Kernel


cdef class Batch:
    cdef Kernel kernel
    cdef long long[::1] asked
    cdef unsigned char[::1] pool
    cdef long long[::1] answers

    cdef void _load(self, int slot) noexcept nogil
    cdef void _clear(self) noexcept nogil
    cdef int _one(self, int slot) noexcept nogil
