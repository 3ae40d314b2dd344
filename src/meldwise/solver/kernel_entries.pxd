"""What other compiled modules may use of the kernel's entries."""

from meldwise.solver._compiled_kernel_options cimport Options


cdef class Entries(Options):
    cdef bint _list_entries(self) noexcept nogil
    cdef int _enter(
        self, int face, int ident, int sets, bint full, int left, int nodes, int count,
        int cap, int cap_open, int cap_short, int kept
    ) noexcept nogil
    cdef void _bound_nodes(self) noexcept nogil
    cdef long long _bound_of(
        self, int number, int n0, int n1, int n2, int n3, int used
    ) noexcept nogil
