#!lua flags=allow-key-locking
--[[
  claim-due: mark messages of the outbox as resent now, so that only one sender sends each.

  KEYS[1] stock:{<sale>:0}:outbox    hash   order -> order message, behind `<sends> <sent at> `
                                            once sent again; an r after <sends>
                                            says that the queue refused the last one
  KEYS[2] stock:{<sale>:0}           hash   resentAt
  ARGV[1] now                        epoch ms, 15 digits wide
  ARGV[2] least age                  ms since a message was last sent again
  ARGV[3] orders                     at most 200, separated by spaces

  Reply {code, sends ...}
    1 claimed     for each order how often it is sent again with this time; 0 when it is not to be sent
                  now: it is gone, or was sent less than the least age ago

  resentAt, the time of the last resend, bounds how long a message that left the outbox may still be
  in flight.
]]
local ids = {}
for id in string.gmatch(ARGV[3], '%S+') do ids[#ids + 1] = id end
if #ids == 0 then return {1} end

local now, claims, entries = tonumber(ARGV[1]), {}, {}
for at, entry in ipairs(redis.call('HMGET', KEYS[1], unpack(ids))) do
  claims[at] = 0
  if entry then
    local sends, sentAt, message = string.match(entry, '^(%d+)r? (%d+) (.*)$')
    if not sends or now - sentAt >= tonumber(ARGV[2]) then
      claims[at] = (sends or 0) + 1
      entries[#entries + 1] = ids[at]
      entries[#entries + 1] = string.format('%d %s %s', claims[at], ARGV[1], message or entry)
    end
  end
end
if #entries > 0 then
  redis.call('HSET', KEYS[1], unpack(entries))
  redis.call('HSET', KEYS[2], 'resentAt', ARGV[1])
end
return {1, unpack(claims)}
