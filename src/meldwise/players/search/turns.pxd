"""What other compiled modules may use of a playout's turns."""

from meldwise.solver._compiled_kernel cimport Kernel


cdef class Turns:
    cdef Kernel kernel
    cdef int need
    cdef bint fixed

    cdef bint _fits(self, int[::1] table, int[::1] hands, int at, bint opened, int only) noexcept nogil
    cdef int _best(self, int[::1] table, int[::1] hands, int at, bint opened) noexcept nogil
    cdef void _load(self, int[::1] table, int[::1] hands, int at, bint opened) noexcept nogil
    cdef bint _finishes(self, int[::1] table, int[::1] hands, int at) noexcept nogil
    cdef bint _solve(self, long long floor) noexcept nogil
    cdef int _worth(self) noexcept nogil
    cdef void _take(self, int[::1] table, int[::1] hands, int at) noexcept nogil
