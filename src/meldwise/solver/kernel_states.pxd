"""What other compiled modules may use of the kernel's states."""

from meldwise.solver._compiled_kernel_entries cimport Entries


cdef class States(Entries):
    cdef int _expand(self, int number, int first, int begin) noexcept nogil
    cdef void _raise_threshold(self, int begin, int end) noexcept nogil
    cdef void _rank(self, int begin, int end, int width) noexcept nogil
    cdef int _select(self, int begin, int end, int width) noexcept nogil
