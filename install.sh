#!/bin/sh
# Installs hebb: downloads the newest release for this system, compares its checksum, verifies who signed it, and puts one file into a
# folder of yours. No root, no other change to the system.
#
#   curl -fsSL https://github.com/hebb-memory/hebb/releases/latest/download/install.sh | sh
#
# HEBB_INSTALL names the folder (default: ~/.local/bin), HEBB_RELEASES another place to download from.
set -eu

# The public key that releases are signed with; empty while they are not signed. The same stands in npm/hebb.js and in hebb itself.
key=''
releases=${HEBB_RELEASES:-https://github.com/hebb-memory/hebb/releases/latest/download}
folder=${HEBB_INSTALL:-$HOME/.local/bin}

fail() {
	echo "hebb: $*" >&2
	exit 1
}
fetch() { # ADDRESS FILE
	if command -v curl >/dev/null; then
		case $1 in https:*) only='=https' ;; *) only='=http,https' ;; esac
		curl -fsSL --retry 2 --proto-redir "$only" -o "$2" "$1" || fail "cannot download $1"
	elif command -v wget >/dev/null; then
		wget -q -O "$2" "$1" || fail "cannot download $1"
	else
		fail "needs curl or wget"
	fi
}
verify() { # FILE: says in $signed what is known of who made it
	if [ -z "$key" ]; then
		signed="not signed"
	elif command -v ssh-keygen >/dev/null; then
		fetch "$releases/SHA256SUMS.sig" "$1.sig"
		echo "hebb $key" >"$1.signers"
		ssh-keygen -Y verify -f "$1.signers" -I hebb -n hebb-release -s "$1.sig" <"$1" >/dev/null 2>&1 ||
			fail "$releases/SHA256SUMS is not signed with hebb's key. Nothing was installed."
		signed="signature verified"
	elif [ -n "${HEBB_RELEASES:-}" ]; then
		fail "to verify the signature of a release from $releases, ssh-keygen is needed (OpenSSH). Nothing was installed."
	else
		signed="signature not verified, for want of ssh-keygen"
	fi
}
older() { # VERSION VERSION: the first is of an earlier release
	printf '%s\n%s\n' "$1" "$2" | awk -F '[.+-]' '
		!/^v?[0-9]+[.][0-9]+[.][0-9]+/ { unknown = 1 }
		{ sub(/^v/, ""); for (i = 1; i <= 3; i++) n[NR, i] = $i + 0 }
		END { for (i = 1; i <= 3; i++) if (n[1, i] != n[2, i]) exit !(!unknown && n[1, i] < n[2, i]); exit 1 }'
}

case $releases in
http://*@*) fail "$releases: want https" ;;
https://* | http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]*) ;;
*) fail "$releases: want https" ;;
esac
[ ! -d "$folder/hebb" ] || fail "$folder/hebb is a folder: move it away, or name another place with HEBB_INSTALL"
case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "$(uname -s) is not known to this script. On Windows: scoop install hebb, or npx @hebb-memory/hebb init" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no hebb for $(uname -m); with Go: go install github.com/hebb-memory/hebb/cmd/hebb@latest" ;;
esac

work=$(mktemp -d)
new=
trap 'rm -rf "$work" ${new:+"$new"}' EXIT
fetch "$releases/SHA256SUMS" "$work/SHA256SUMS"
verify "$work/SHA256SUMS"
line=$(grep "  hebb_[^ /]*_${system}_${arch}\.tar\.gz\$" "$work/SHA256SUMS") || fail "this release has nothing for $system/$arch"
archive=${line#*  }
version=${archive#hebb_}
version=${version%%_*}
if [ -f "$folder/hebb" ]; then
	installed=$("$folder/hebb" version 2>/dev/null | awk 'NR == 1 { print $2 }' || true)
	if older "$version" "$installed"; then
		fail "$folder/hebb is $installed, and this release is $version, an older one. To install it all the same, remove that file first."
	fi
fi
fetch "$releases/$archive" "$work/$archive"
echo "$line" >"$work/sum"
if command -v sha256sum >/dev/null; then
	(cd "$work" && sha256sum -c sum >/dev/null 2>&1) || fail "$archive: its checksum is not the one of the release. Nothing was installed."
else
	(cd "$work" && shasum -a 256 -c sum >/dev/null 2>&1) || fail "$archive: its checksum is not the one of the release. Nothing was installed."
fi
tar -xzf "$work/$archive" -C "$work" hebb
[ -f "$work/hebb" ] && [ ! -L "$work/hebb" ] || fail "$archive holds no program. Nothing was installed."
mkdir -p "$folder"
new=$(mktemp "$folder/.hebb-new-XXXXXX") # a file of its own: what somebody has put there under a known name is not written to
cat "$work/hebb" >"$new"
chmod 755 "$new"
"$new" version >/dev/null || fail "$archive does not run on this system"
mv -f "$new" "$folder/hebb"
new=

echo "Installed $folder/hebb ($("$folder/hebb" version)), checksum compared, $signed."
case ":$PATH:" in
*":$folder:"*) echo "Next, in a repository of yours: hebb init" ;;
*) echo "$folder is not on your PATH. Next, in a repository of yours: $folder/hebb init" ;;
esac
