"""What input from outside may do, kind by kind; every file here is about one kind.

==================== ========================== ============================================================
input                read by                    it may
==================== ========================== ============================================================
deliveries           the webhook                be answered with one of a few fixed answers, never a 5xx;
                                                what is refused asks nothing of the table
outcome, change and  push_fix, gates container  be refused in one sentence or be within every stated bound;
gates documents                                 no more than a cap and a byte is fetched
paths                the same, and collect      name a plain file below the root, or refuse the change
archives             the fixer's containers     be refused in one sentence or hold plain files; each byte is
                                                read once, and little more is held than one file
==================== ========================== ============================================================

The tests play a small fixed number of inputs; ``python -m tests.untrusted`` plays new ones for as long as it is told.
"""
