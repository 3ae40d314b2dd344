"""What other compiled modules may use of the kernel."""

from meldwise.solver._compiled_kernel_states cimport States


cdef class Kernel(States):
    cdef int _solve(self, long long floor, long long target) noexcept nogil
    cdef int _beam(self, int width) noexcept nogil
    cdef void _record(self, int state) noexcept nogil
    cdef void _lay_runs(self) noexcept nogil
