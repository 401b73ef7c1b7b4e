#!lua flags=allow-key-locking
--[[
  accuse: add up what the instances of the gate hold against addresses, so that a limit counts for all of them together.

  KEYS[1] gate:{<sale>}:addresses    hash   address -> `<points> <until>`; forgotten a window after the last news
  ARGV[1] now                        epoch ms
  ARGV[2] limit                      points from which an address is shut out
  ARGV[3] window                     ms; it begins with an address's first points
  ARGV[4] most addresses             that are kept; of further ones nothing is kept
  ARGV[5] accusations                at most 100 lines `<address> <points>`

  Reply {code, address, until, ...}  every accused address that is shut out now, and until when, epoch ms
    1 counted

  What is lost or told twice here shuts an address out a little later or earlier, and for no longer than a window.
]]
local now, limit, window, room = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local addresses, points = {}, {}
for address, count in string.gmatch(ARGV[5], '(%S+) (%d+)') do
  addresses[#addresses + 1] = address
  points[#points + 1] = tonumber(count)
end
if #addresses == 0 then return {1} end

room = room - redis.call('HLEN', KEYS[1])
local kept, reply = {}, {1}
for at, known in ipairs(redis.call('HMGET', KEYS[1], unpack(addresses))) do
  local address, sum, till = addresses[at], points[at], now + window
  local before, ends
  if known then before, ends = string.match(known, '^(%d+) (%d+)$') end
  if ends and tonumber(ends) > now then sum, till = sum + before, tonumber(ends) end
  if known or room > 0 then
    if not known then room = room - 1 end
    kept[#kept + 1] = address
    kept[#kept + 1] = string.format('%d %d', sum, till)
  end
  if sum >= limit then
    reply[#reply + 1] = address
    reply[#reply + 1] = till
  end
end
if #kept > 0 then
  redis.call('HSET', KEYS[1], unpack(kept))
  redis.call('PEXPIRE', KEYS[1], window)
end
return reply
