#!/usr/bin/env bash
# Runs a command beside a real S3-compatible bucket, whose address is in S3_TEST: Ceph's object gateway (Debian's radosgw, ceph-mon
# and ceph-osd) over one monitor and one in-memory object store, on loopback and free ports. Nothing outlives the command.
#
#   scripts/setup/radosgw.sh npm run test:full
#   scripts/setup/radosgw.sh bash     # then: RELEASE_STORE=$S3_TEST npm run release -- status
set -euo pipefail

folder=$(mktemp -d)
trap 'kill -9 $(jobs -p) 2> /dev/null; wait 2> /dev/null; rm -rf "$folder"' EXIT
fail() {
  tail -n 3 "$folder"/*.log >&2
  echo "radosgw did not start: $1" >&2
  exit 1
}

freePort() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}
monitor=$(freePort)
gateway=$(freePort)
fsid=$(cat /proc/sys/kernel/random/uuid)
osd=$(cat /proc/sys/kernel/random/uuid)

# One daemon of each kind, without replicas or keys. The interval is short, since the default of a second makes the creation of
# pools slow.
cat > "$folder/ceph.conf" << CONFIGURATION
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$monitor/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms client mode = crc
ms cluster mode = crc
ms service mode = crc
keyring = $folder/keyring
run dir = $folder
admin socket = $folder/\$name.asok
pid file = $folder/\$name.pid
log file = $folder/\$name.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
osd class load list = *
osd class default list = *
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
mon data = $folder/mon
osd data = $folder/osd
paxos propose interval = 0.02
paxos min wait = 0.01
rgw data = $folder
rgw frontends = beast endpoint=127.0.0.1:$gateway tcp_nodelay=1
CONFIGURATION
mkdir "$folder/mon" "$folder/osd"
touch "$folder/keyring"
export CEPH_CONF="$folder/ceph.conf"

run() {
  timeout 60 "$@" > "$folder/command.log" 2>&1 || fail "$1"
}
daemon() {
  "$@" -f > /dev/null 2>&1 < /dev/null &
}
run monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$monitor/0]" "$folder/monmap"
run ceph-mon -i a --mkfs --monmap "$folder/monmap"
daemon ceph-mon -i a
run ceph --connect-timeout 30 osd new "$osd"
run ceph-osd -i 0 --mkfs --osd-uuid "$osd"
daemon ceph-osd -i 0
run radosgw-admin user create --uid=test --display-name=test --access-key=test --secret-key=of-this-run-only
daemon radosgw -n client.rgw

export AWS_ENDPOINT_URL="http://127.0.0.1:$gateway" AWS_REGION=us-east-1
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=of-this-run-only S3_TEST=s3://releases/test
run curl --silent --fail --retry 60 --retry-delay 1 --retry-connrefused "$AWS_ENDPOINT_URL"
cd "$(dirname "$0")/../.."
run node -e '
  const { CreateBucketCommand, S3Client } = require("@aws-sdk/client-s3");
  new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: "releases" }));
'
"$@"
