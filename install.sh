#!/bin/sh
# Installs hebb: downloads the newest release for this system, compares its checksum, and puts one file into a folder of yours.
# No root, no other change to the system.
#
#   curl -fsSL https://github.com/hebb-memory/hebb/releases/latest/download/install.sh | sh
#
# HEBB_INSTALL names the folder (default: ~/.local/bin), HEBB_RELEASES another place to download from.
set -eu

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
trap 'rm -rf "$work"' EXIT
fetch "$releases/SHA256SUMS" "$work/SHA256SUMS"
line=$(grep "  hebb_[^ ]*_${system}_${arch}\.tar\.gz\$" "$work/SHA256SUMS") || fail "this release has nothing for $system/$arch"
archive=${line#*  }
fetch "$releases/$archive" "$work/$archive"
echo "$line" >"$work/sum"
if command -v sha256sum >/dev/null; then
	(cd "$work" && sha256sum -c sum >/dev/null 2>&1) || fail "$archive: its checksum is not the one of the release. Nothing was installed."
else
	(cd "$work" && shasum -a 256 -c sum >/dev/null 2>&1) || fail "$archive: its checksum is not the one of the release. Nothing was installed."
fi
tar -xzf "$work/$archive" -C "$work" hebb
mkdir -p "$folder"
cp "$work/hebb" "$folder/.hebb-new"
chmod 755 "$folder/.hebb-new"
"$folder/.hebb-new" version >/dev/null || { rm -f "$folder/.hebb-new"; fail "$archive does not run on this system"; }
mv -f "$folder/.hebb-new" "$folder/hebb"

echo "Installed $folder/hebb ($("$folder/hebb" version)), checksum verified."
case ":$PATH:" in
*":$folder:"*) echo "Next, in a repository of yours: hebb init" ;;
*) echo "$folder is not on your PATH. Next, in a repository of yours: $folder/hebb init" ;;
esac
