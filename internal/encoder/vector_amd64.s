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

// Below, the rows begin at R8 to R11 and have DX bytes, of which BX have been read. The weights are at AX. SI columns are left.

// ROW adds the products of 16 numbers of a row with the weights in X0 and X1.
#define ROW(at, sum) \
	MOVOU (at)(BX*1), X2 \
	MOVOU 16(at)(BX*1), X3 \
	PMADDWL X0, X2 \
	PMADDWL X1, X3 \
	PADDL X2, sum \
	PADDL X3, sum

// TOTAL adds the four parts of a sum.
#define TOTAL(sum, to) \
	PSHUFL $0x4E, sum, X0 \
	PADDL X0, sum \
	PSHUFL $0xB1, sum, X0 \
	PADDL X0, sum \
	MOVL sum, to

// func productsSSE2(sums *int32, rows *int16, weights *int8, n, columns int)
TEXT ·productsSSE2(SB), NOSPLIT, $0-40
	MOVQ sums+0(FP), DI
	MOVQ rows+8(FP), R8
	MOVQ weights+16(FP), AX
	MOVQ n+24(FP), DX
	MOVQ columns+32(FP), SI
	ADDQ DX, DX
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	LEAQ (R10)(DX*1), R11

column:
	XORQ BX, BX
	PXOR X4, X4
	PXOR X5, X5
	PXOR X6, X6
	PXOR X7, X7

next:
	MOVOU (AX), X1
	PUNPCKLBW X1, X0 // each byte as the upper half of a word, then shifted down with its sign
	PUNPCKHBW X1, X1
	PSRAW $8, X0
	PSRAW $8, X1
	ROW(R8, X4)
	ROW(R9, X5)
	ROW(R10, X6)
	ROW(R11, X7)
	ADDQ $16, AX
	ADDQ $32, BX
	CMPQ BX, DX
	JNE  next

	TOTAL(X4, 0(DI))
	TOTAL(X5, 4(DI))
	TOTAL(X6, 8(DI))
	TOTAL(X7, 12(DI))
	ADDQ $16, DI
	DECQ SI
	JNZ  column
	RET

// ROW256 adds the products of 16 numbers of a row with the weights in Y0.
#define ROW256(at, sum) \
	VPMADDWD (at)(BX*1), Y0, Y1 \
	VPADDD Y1, sum, sum

// func productsAVX2(sums *int32, rows *int16, weights *int8, n, columns int)
TEXT ·productsAVX2(SB), NOSPLIT, $0-40
	MOVQ sums+0(FP), DI
	MOVQ rows+8(FP), R8
	MOVQ weights+16(FP), AX
	MOVQ n+24(FP), DX
	MOVQ columns+32(FP), SI
	ADDQ DX, DX
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	LEAQ (R10)(DX*1), R11

column:
	XORQ BX, BX
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

next:
	VPMOVSXBW (AX), Y0
	ROW256(R8, Y4)
	ROW256(R9, Y5)
	ROW256(R10, Y6)
	ROW256(R11, Y7)
	ADDQ $16, AX
	ADDQ $32, BX
	CMPQ BX, DX
	JNE  next

	VPHADDD Y5, Y4, Y4 // neighbours added, twice: each half then holds a part of each of the four sums
	VPHADDD Y7, Y6, Y6
	VPHADDD Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD X5, X4, X4
	VMOVDQU X4, (DI)
	ADDQ $16, DI
	DECQ SI
	JNZ  column
	VZEROUPPER
	RET
