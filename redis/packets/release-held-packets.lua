#!lua flags=allow-key-locking
--[[
  release-held-packets: make held-back packets claimable, because lost claims of them can no longer arrive.

  KEYS[1] stock:{<sale>:0}            hash   total, booked, frozen, stockRevision, heldSince, heldBack
  KEYS[2] stock:{<sale>:0}:packets    list   red packets as JSON, the next one last
  KEYS[3] stock:{<sale>:0}:held       hash   number -> held-back packet as JSON
  ARGV[1] held since                  epoch ms, of the unfreeze that held them back
  ARGV[2] max booked                  maximum of packets booked at the same time that the gate's store knows
  ARGV[3] numbers                     at most 1,000, as JSON; the last one is claimed next

  Reply {code, packets, stockRevision}
    1 released        the number of packets that can now be claimed, and the revision of the stock
    2 superseded      the stock was unfrozen again, or is frozen: nothing changed
    3 moved           more are booked than the gate's store knows: nothing changed
   10 unknown-sale    the stock is missing

  Each packet moves from the held-back ones to the list, so a repeated or late call adds none twice.

  This lowers `booked`, although packets with higher numbers were claimed. If Redis is lost again, only the
  gate's store knows how many were, so it must know the count before.

  Packets added to an empty list are a restock, as in release-held-back.lua.
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
