package wiring

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ReleaseKey is the public key that releases are signed with, as ssh-keygen writes it; empty while they are not signed. install.sh and
// npm/hebb.js hold the same, which a test compares. Signatures are those of ssh-keygen -Y sign: it is wherever git is, while the openssl
// of macOS cannot verify Ed25519 and minisign is seldom installed.
var ReleaseKey = ""

// signedAs is what hebb's signatures are made for.
const signedAs = "hebb-release"

// verify refuses a text that was not signed with a key. The form is PROTOCOL.sshsig of OpenSSH, with Ed25519 and SHA-512.
func verify(text, signature []byte, key string) error {
	kind, rest, _ := strings.Cut(key, " ")
	public, err := base64.StdEncoding.DecodeString(rest)
	if err != nil || kind != "ssh-ed25519" || len(public) < ed25519.PublicKeySize {
		return fmt.Errorf("the key of releases %q is no ssh-ed25519 key: %w", key, memory.ErrInvalid)
	}
	sum := sha512.Sum512(text)
	signed := "SSHSIG" + counted(signedAs) + counted("") + counted("sha512") + counted(string(sum[:]))
	before := "SSHSIG" + "\x00\x00\x00\x01" + counted(string(public)) + counted(signedAs) + counted("") + counted("sha512")
	block, _ := pem.Decode(signature)
	if block != nil && len(block.Bytes) > ed25519.SignatureSize {
		at := len(block.Bytes) - ed25519.SignatureSize
		whole := before + counted(counted(kind)+counted(string(block.Bytes[at:])))
		if bytes.Equal(block.Bytes, []byte(whole)) && ed25519.Verify(public[len(public)-ed25519.PublicKeySize:], []byte(signed), block.Bytes[at:]) {
			return nil
		}
	}
	return fmt.Errorf("it is not signed with the key of hebb's releases; nothing was changed: %w", memory.ErrRefused)
}

// counted is a text after its length, as SSH writes texts.
func counted(text string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(text)))) + text
}
