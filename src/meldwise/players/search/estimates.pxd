"""What other compiled modules may use of the estimates."""


cdef class Estimates:
    cdef int[::1] setting
    cdef int[::1] table
    cdef int[::1] hands
    cdef int[::1] sizes
    cdef int[::1] opened
    cdef int[::1] keeps
    cdef double[::1] aim
    cdef float[::1] features
    cdef float[::1] common
    cdef float[::1] inner
    cdef float[::1] outer
    cdef float[::1] hidden
    cdef double[::1] chances
    cdef double[::1] costs

    cdef int _cost(self, int seat) noexcept nogil
    cdef int _outs(self, int at, int face, bint own) noexcept nogil
    cdef void _describe(self, int seat, int stock) noexcept nogil
    cdef double _look_at(self, int seat) noexcept nogil
    cdef double _estimate(self) noexcept nogil
