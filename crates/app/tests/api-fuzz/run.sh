#!/bin/sh
# Starts the program on a free port, stores some data, and lets schemathesis test the API against its own OpenAPI document.
#   run.sh PROGRAM SCHEMATHESIS [further options of schemathesis]
set -eu
program=$(realpath "$1") schemathesis=$(realpath "$2") here=$(realpath "$(dirname "$0")")
shift 2

folder=$(mktemp -d)
"$program" serve --listen 127.0.0.1:0 --data-dir "$folder/data" >"$folder/out" 2>"$folder/log" &
server=$!
trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$folder"' EXIT INT TERM

until grep -q 'http://' "$folder/out"; do
  kill -0 $server || { cat "$folder/log"; exit 1; }
  sleep 0.1
done
url=$(grep -o 'http://[^ ]*' "$folder/out" | head -n 1)

post() {
  curl --silent --show-error --fail --output /dev/null --header 'content-type: application/json' --data "$2" "$url$1"
}
post /process-agent '{"user_query": "What is the capital of France?"}'
post /api/alerts '{"alert_id": "fraud-1", "user_id": "user-1", "severity": "critical", "score": 91}'
post /api/transactions '{"transaction_id": "tx-1", "user_id": "user-1", "amount": {"amount": "12.50", "currency": "USD"},
  "occurred_at": "2026-03-01T09:00:00Z"}'

status=0
# Schemathesis writes files to its working directory.
(cd "$folder" && exec "$schemathesis" --config-file "$here/schemathesis.toml" run "$url/api/openapi.json" "$@") || status=$?
kill -0 $server || { echo "The server has ended:"; tail -n 50 "$folder/log"; exit 1; }
if grep -q '"level":"ERROR"\| ERROR ' "$folder/log"; then
  echo "The server logged errors:"
  grep '"level":"ERROR"\| ERROR ' "$folder/log" | head -n 20
  status=1
fi
exit $status
