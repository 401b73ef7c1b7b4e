#!lua flags=allow-key-locking
--[[
  recount: book as many units of a frozen stock as its holds were counted to have.

  KEYS[1] stock:{<sale>:0}          hash   booked, packedWindow, heldBack
  KEYS[2] stock:{<sale>:0}:holds    hash   order id -> `<quantity> <shopper id> <reserved at>`
  ARGV[1] units                     that were counted
  ARGV[2] holds                     that were counted
  ARGV[3] booked                    before the count began

  Reply {code}
    1 recounted       the units are booked
    2 moved           units were given back or put back meanwhile: to be counted again
    3 open            the stock is not frozen: nobody can count what is being sold
   10 unknown-sale    no stock on the shelf, not even a frozen one

  booked is a sum that is kept beside its parts. Where one of the two was lost without the other, every step from there
  on would be right by itself and their difference stay for ever. Holds are counted in many calls, so that nobody has to
  wait for it; whoever changes them meanwhile changes booked, or how many they are. What was held back is not held: unfreeze.lua
  holds back anew.
]]
local booked, packedWindow = unpack(redis.call('HMGET', KEYS[1], 'booked', 'packedWindow'))
if not booked then return {10} end
if string.sub(packedWindow, 32, 38) ~= '!frozen' then return {3} end
if booked ~= ARGV[3] or redis.call('HLEN', KEYS[2]) ~= tonumber(ARGV[2]) then return {2} end
redis.call('HSET', KEYS[1], 'booked', ARGV[1], 'heldBack', '0')
return {1}
