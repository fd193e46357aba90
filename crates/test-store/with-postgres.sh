#!/usr/bin/env bash
# Runs a command with a Postgres server of its own, which is gone afterwards: with-postgres.sh COMMAND [ARGUMENT...]
#
# The command finds the server through COUNTERSIGN_TEST_POSTGRES, and COUNTERSIGN_TEST_STORE says that tests use it. The server
# doesn't wait for the disk, because its data is not kept, unless FSYNC=on. Its data is in a temporary folder, or in FOLDER.
set -euo pipefail

# Where the newest version of Postgres on this machine is. Debian keeps its programs out of the PATH.
bin() {
  if command -v initdb >/dev/null 2>&1; then dirname "$(command -v initdb)"; return; fi
  find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -1
}

BIN=$(bin)
if [ -z "$BIN" ] || [ ! -x "$BIN/initdb" ]; then
  echo "Postgres is not installed. To install it: apt-get install postgresql" >&2
  exit 1
fi

DIR=$(mktemp -d "${FOLDER:-/tmp}/countersign-postgres.XXXXXX")

# Postgres refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then
    if id postgres >/dev/null 2>&1; then runuser -u postgres -- "$@"; else runuser -u nobody -- "$@"; fi
  else
    "$@"
  fi
}
if [ "$(id -u)" = 0 ]; then
  if id postgres >/dev/null 2>&1; then chown postgres "$DIR"; else chown nobody "$DIR"; fi
fi

stop() {
  as_server "$BIN/pg_ctl" --pgdata "$DIR/data" --mode immediate --silent stop >/dev/null 2>&1 || true
  rm -rf "$DIR"
}
trap stop EXIT
# A signal ends the script, and so the server.
trap 'exit 130' INT TERM

cd "$DIR"
as_server "$BIN/initdb" --pgdata "$DIR/data" --username postgres --auth trust --encoding UTF8 --no-locale --no-sync >/dev/null
cat >>"$DIR/data/postgresql.conf" <<EOF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$DIR'
max_connections = 400
shared_buffers = 128MB
fsync = ${FSYNC:-off}
full_page_writes = ${FSYNC:-off}
autovacuum_naptime = 10s
EOF

for _ in $(seq 20); do
  PORT=$((20000 + RANDOM % 20000))
  if as_server "$BIN/pg_ctl" --pgdata "$DIR/data" --log "$DIR/log" --options "-p $PORT" --wait --silent start >/dev/null 2>&1; then
    break
  fi
  PORT=
done
if [ -z "$PORT" ]; then
  echo "Postgres did not start:" >&2
  cat "$DIR/log" >&2
  exit 1
fi

cd "$OLDPWD"
export COUNTERSIGN_TEST_STORE=postgres
export COUNTERSIGN_TEST_POSTGRES="postgres://postgres@127.0.0.1:$PORT/postgres"
"$@"
