#include "textflag.h"

// func product16(a, b *byte, n int) int32
// SSE2, which every amd64 has: bytes become words, PMADDWL multiplies these and adds neighbours.
TEXT ·product16(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	MOVQ n+16(FP), CX
	PXOR X4, X4
	PXOR X5, X5

next:
	CMPQ CX, $16
	JLT  sum
	MOVOU (AX), X0
	MOVOU (BX), X1
	MOVO X0, X2
	MOVO X1, X3
	PUNPCKLBW X0, X2
	PUNPCKHBW X0, X0
	PUNPCKLBW X1, X3
	PUNPCKHBW X1, X1
	PSRAW $8, X2
	PSRAW $8, X0
	PSRAW $8, X3
	PSRAW $8, X1
	PMADDWL X3, X2
	PMADDWL X1, X0
	PADDL X2, X4
	PADDL X0, X5
	ADDQ $16, AX
	ADDQ $16, BX
	SUBQ $16, CX
	JMP  next

sum:
	PADDL X5, X4
	PSHUFL $0x4E, X4, X5
	PADDL X5, X4
	PSHUFL $0xB1, X4, X5
	PADDL X5, X4
	MOVL X4, ret+24(FP)
	RET
