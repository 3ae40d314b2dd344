"""What other compiled modules may use of the kernel's arrays and options."""


cdef class Options:
    cdef int[::1] must
    cdef int[::1] may
    cdef int[::1] kept
    cdef int[::1] starts
    cdef int[::1] ends
    cdef long long[::1] weight
    cdef int[::1] table_of
    cdef unsigned char[::1] tables
    cdef long long[::1] joker_gain
    cdef int[::1] bonus_of
    cdef long long[::1] bonuses
    cdef int[::1] option_first
    cdef int[::1] option_sets
    cdef int[::1] option_jokers
    cdef int[::1] option_grows
    cdef long long[::1] option_gain
    cdef int[::1] node_first
    cdef int[::1] node_id
    cdef int[::1] node_spent
    cdef int[::1] list_first
    cdef int[::1] list_count
    cdef int[::1] list_full
    cdef long long[::1] list_best
    cdef long long[::1] bound
    cdef int[::1] seen
    cdef int[::1] entry_next
    cdef int[::1] entry_jokers
    cdef int[::1] entry_cells
    cdef int[::1] entry_code
    cdef long long[::1] entry_gain
    cdef long long[::1] entry_best
    cdef long long[::1] state_key
    cdef long long[::1] state_value
    cdef long long[::1] state_bound
    cdef long long[::1] state_choice
    cdef int[::1] state_parent
    cdef int[::1] slot_stamp
    cdef int[::1] slot_state
    cdef long long[::1] ranking
    cdef int[::1] most_sets
    cdef int[::1] charge
    cdef int[::1] set_jokers
    cdef long long[::1] rest_gain
    cdef long long[::1] joker_bound
    cdef long long[::1] joker_most
    cdef long long[::1] rest_worth
    cdef int[::1] layer
    cdef long long[::1] result
    cdef int[::1] placed
    cdef int[::1] open_runs
    cdef int jokers
    cdef int must_jokers
    cdef long long joker_weight
    cdef long long need
    cdef int entries
    cdef int nodes
    cdef int stamp
    cdef long long best
    cdef int found
    cdef long long dropped
    cdef long long threshold
    cdef int check_at
    cdef int width
    cdef long long worked
    cdef long long limit

    cdef void _list_options(self) noexcept nogil
    cdef void _charge_sets(self) noexcept nogil
    cdef void _bound_rest(self) noexcept nogil
