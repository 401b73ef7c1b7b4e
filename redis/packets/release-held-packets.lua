#!lua flags=allow-key-locking
--[[
  release-held-packets: put packets that were held back into the list, for claims of which can no longer arrive.

  KEYS[1] stock:{<sale>:0}            hash   total, booked, frozen, stockRevision, heldSince, heldBack
  KEYS[2] stock:{<sale>:0}:packets    list   red packets as JSON, the next one last
  KEYS[3] stock:{<sale>:0}:held       hash   number -> packet that is held back, as JSON
  ARGV[1] held since                  epoch ms, of the reopening that held them back
  ARGV[2] most booked                 packets ever booked at the same time, as the gate's store knows it
  ARGV[3] numbers                     at most 1,000, the next one to be claimed last, as JSON

  Reply {code, packets, stockRevision}
    1 released        how many packets can be claimed from here on, and the revision of the stock
    2 superseded      the stock was unfrozen again since, or is frozen: nothing changed
    3 moved           more are booked than the gate's store knows: nothing changed
   10 unknown-sale    the stock is missing

  Each packet leaves the held ones as it enters the list, so a call that comes twice, or late, adds none twice.

  What is booked falls with this, though packets of higher numbers were handed out. If Redis is lost again, only
  the gate's store knows how many that were, so it must know before.

  Packets that come to an empty list are a restock, as in release-held-back.lua.
]]
local total, booked, frozen, stockRevision, heldSince, heldBack =
  unpack(redis.call('HMGET', KEYS[1], 'total', 'booked', 'frozen', 'stockRevision', 'heldSince', 'heldBack'))
if not total then return {10} end
if heldSince ~= ARGV[1] or frozen then return {2} end
if tonumber(booked) > tonumber(ARGV[2]) then return {3} end
local isEmpty = redis.call('LLEN', KEYS[2]) == 0

local packets = {}
for _, number in ipairs(cjson.decode(ARGV[3])) do
  local field = string.format('%.0f', number)
  local text = redis.call('HGET', KEYS[3], field)
  if text then
    redis.call('HDEL', KEYS[3], field)
    packets[#packets + 1] = text
  end
end
local count = #packets
if count == 0 then return {1, 0, tonumber(stockRevision)} end
redis.call('RPUSH', KEYS[2], unpack(packets))
redis.call('HSET', KEYS[1], 'booked', booked - count, 'heldBack', heldBack - count)
if isEmpty then stockRevision = redis.call('HINCRBY', KEYS[1], 'stockRevision', 1) end
return {1, count, tonumber(stockRevision)}
