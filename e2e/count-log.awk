# Counts a node's access log, one JSON object a line: for each group that a line is part of
#   group  name  requests  bytes  hit_bytes  2xx  3xx  4xx  5xx  refused  origin_requests  origin_bytes
# separated by tabs. It knows nothing of how Breakwater counts.
function text(key,   at, rest) {
  at = index($0, "\"" key "\":\"")
  if (at == 0) return ""
  rest = substr($0, at + length(key) + 4)
  return substr(rest, 1, index(rest, "\"") - 1)
}
function number(key,   at) {
  at = index($0, "\"" key "\":")
  return at == 0 ? 0 : substr($0, at + length(key) + 3) + 0
}
function count(group, name,   key) {
  if (name == "") return
  key = group "\t" name
  requests[key]++
  bytes[key] += sent
  if (cache ~ /^(HIT|STALE|UPDATING|REVALIDATED)$/) hit[key] += sent
  classes[key, class]++
  if (decision != "") refused[key]++
  if (origin != "") { fetched[key]++; fetched_bytes[key] += origin_sent }
}
{
  sent = number("bytes_sent"); cache = text("cache_status"); class = int(number("status") / 100)
  decision = text("decision"); origin = text("origin_addr"); origin_sent = number("origin_bytes")
  time = text("time"); uri = text("request_uri"); sub(/\?.*/, "", uri)
  kind = decision; sub(/ .*/, "", kind)
  count("all", "all")
  count("site", number("site_id")); count("client", number("client_id")); count("order", number("order_id"))
  count("host", text("host")); count("url", text("host") uri); count("referer", text("referer"))
  count("address", text("remote_addr")); count("agent", text("user_agent")); count("method", text("method"))
  count("status", number("status")); count("cache", cache); count("kind", kind)
  if (decision != "") {
    count("address-refused", text("remote_addr")); count("decision", number("site_id") " " decision)
  }
  count("minute", substr(time, 1, 16)); count("hour", substr(time, 1, 13))
  five = substr(time, 1, 14) sprintf("%02d", int(substr(time, 15, 2) / 5) * 5)
  count("site-five", number("site_id") " " five); count("order-five", number("order_id") " " five)
  if (!((substr(time, 1, 13), text("remote_addr")) in met)) {
    met[substr(time, 1, 13), text("remote_addr")] = 1
    count("visitors", substr(time, 1, 13))
  }
}
END {
  for (key in requests)
    printf "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", key, requests[key], bytes[key], hit[key], \
      classes[key, 2], classes[key, 3], classes[key, 4], classes[key, 5], refused[key], fetched[key], fetched_bytes[key]
}
