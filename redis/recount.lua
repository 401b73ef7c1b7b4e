#!lua flags=allow-key-locking
--[[
  recount: set booked of a frozen stock to the counted units of its holds.

  KEYS[1] stock:{<sale>:0}          hash   booked, packedWindow, heldBack
  KEYS[2] stock:{<sale>:0}:holds    hash   order id -> `<quantity> <shopper id> <reserved at>`
  ARGV[1] units                     that were counted
  ARGV[2] holds                     that were counted
  ARGV[3] booked                    before the count began

  Reply {code}
    1 recounted       the units are booked
    2 moved           units were released or restored meanwhile: count again
    3 open            the stock is not frozen: sales would change the count
   10 unknown-sale    the stock is missing

  booked is a sum stored beside its parts. When one was lost without the other, every later step
  would be right by itself and the difference would stay for ever. Holds are counted in many calls,
  so that Redis is never blocked for long; a change meanwhile also changes booked, or the number of
  holds. Units held back are not holds: unfreeze.lua holds them back again.
]]
local booked, packedWindow = unpack(redis.call('HMGET', KEYS[1], 'booked', 'packedWindow'))
if not booked then return {10} end
if string.sub(packedWindow, 32, 38) ~= '!frozen' then return {3} end
if booked ~= ARGV[3] or redis.call('HLEN', KEYS[2]) ~= tonumber(ARGV[2]) then return {2} end
redis.call('HSET', KEYS[1], 'booked', ARGV[1], 'heldBack', '0')
return {1}
