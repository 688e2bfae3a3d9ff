#include "textflag.h"

// The assembler does not know these two: bytes become words with their sign (SXTL, SXTL2), and words are multiplied and added
// to numbers of 32 bits (SMLAL, SMLAL2). LOW takes the lower half of the register n, HIGH the upper one.
#define LOW 0x0E000000
#define HIGH 0x4E000000
#define WIDEN(half, n, d) WORD $(half | 0x0108A400 | n<<5 | d)
#define MULTIPLY(half, m, n, d) WORD $(half | 0x00608000 | m<<16 | n<<5 | d)

// ROW adds the products of 16 numbers of a row with the weights in V0 and V1 to the registers with the numbers
// sum and sum+4: two, so that one multiplication need not wait for the other.
#define ROW(at, sum) \
	VLD1.P 32(at), [V2.H8, V3.H8] \
	MULTIPLY(LOW, 0, 2, sum) \
	MULTIPLY(HIGH, 0, 2, (sum+4)) \
	MULTIPLY(LOW, 1, 3, sum) \
	MULTIPLY(HIGH, 1, 3, (sum+4))

// func productsNEON(sums *int32, rows *int16, weights *int8, n, columns int)
TEXT ·productsNEON(SB), NOSPLIT, $0-40
	MOVD sums+0(FP), R0
	MOVD rows+8(FP), R8
	MOVD weights+16(FP), R1
	MOVD n+24(FP), R2
	MOVD columns+32(FP), R3

column:
	MOVD R8, R4
	ADD  R2<<1, R4, R5
	ADD  R2<<1, R5, R6
	ADD  R2<<1, R6, R7
	MOVD R2, R9
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16

next:
	VLD1.P 16(R1), [V2.B16]
	WIDEN(LOW, 2, 0)
	WIDEN(HIGH, 2, 1)
	ROW(R4, 4)
	ROW(R5, 5)
	ROW(R6, 6)
	ROW(R7, 7)
	SUBS $16, R9
	BNE  next

	VADD V8.S4, V4.S4, V4.S4
	VADD V9.S4, V5.S4, V5.S4
	VADD V10.S4, V6.S4, V6.S4
	VADD V11.S4, V7.S4, V7.S4
	VADDP V5.S4, V4.S4, V4.S4 // neighbours added, twice: a number for each of the four sums is left
	VADDP V7.S4, V6.S4, V6.S4
	VADDP V6.S4, V4.S4, V4.S4
	VST1.P [V4.S4], 16(R0)
	SUBS $1, R3
	BNE  column
	RET
