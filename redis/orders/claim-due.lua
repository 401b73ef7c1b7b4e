#!lua flags=allow-key-locking
--[[
  claim-due: mark messages of the outbox as resent now, so that only one sender resends each.

  KEYS[1] stock:{<sale>:0}:outbox    hash   order -> order message, or a resent message
  KEYS[2] stock:{<sale>:0}           hash   resentAt
  ARGV[1] now                        epoch ms
  ARGV[2] min age                    ms since the last resend of a message
  ARGV[3] orders                     at most 200, as a list in JSON

  Reply {code, sends ...}
    1 claimed     for each order the number of resends including this one; 0 when it must not be resent
                  now: it was acknowledged, or resent less than the min age ago

  A resent message is {"sends": 1, "sentAt": 1790000000000, "isRefused": false, "message": …}: the message is
  unchanged byte for byte, and `isRefused` says that the queue rejected the last resend. resentAt, the time of
  the last resend, bounds how long a message that left the outbox may still be in flight.
]]
local ids = cjson.decode(ARGV[3])
if #ids == 0 then return {1} end

local claims, entries = {}, {}
for at, entry in ipairs(redis.call('HMGET', KEYS[1], unpack(ids))) do
  claims[at] = 0
  if entry then
    local sends, sentAt, message = string.match(entry, '^{"sends":(%d+),"sentAt":(%d+),"isRefused":%l+,"message":(.*)}$')
    if not sends or ARGV[1] - sentAt >= tonumber(ARGV[2]) then
      claims[at] = (sends or 0) + 1
      entries[#entries + 1] = ids[at]
      entries[#entries + 1] = '{"sends":' .. claims[at] .. ',"sentAt":' .. ARGV[1] .. ',"isRefused":false,"message":' .. (message or entry) .. '}'
    end
  end
end
if #entries > 0 then
  redis.call('HSET', KEYS[1], unpack(entries))
  redis.call('HSET', KEYS[2], 'resentAt', ARGV[1])
end
return {1, unpack(claims)}
