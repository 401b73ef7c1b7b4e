#!lua flags=allow-key-locking
--[[
  recount: set the booked units of a frozen stock to those of its orders.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, heldBack, frozen, moves, variants; of each variant
                                     booked:<id>, heldBack:<id>
  ARGV[1] units               of the counted orders
  ARGV[2] freeze              id of the freeze before the count
  ARGV[3] moves               before the count
  ARGV[4] variants            units of the counted orders by variant, as JSON

  Reply {code}
    1 recounted       the counted units are booked
    2 moved           units were released or restored meanwhile, or the stock was lost: count again
    3 open            the stock is not frozen, so sales could change the count
   10 unknown-sale    the stock is missing

  booked is a stored sum. No other script recalculates it, so an error would stay forever. Orders are counted
  in many calls, so that Redis is never blocked for long; release.lua and restore.lua count the moves of a
  frozen stock. Held-back units belong to no order: unfreeze.lua holds them back again.
]]
local total, frozen, moves, variants = unpack(redis.call('HMGET', KEYS[1], 'total', 'frozen', 'moves', 'variants'))
if not total then return {10} end
if not frozen then return {3} end
if frozen ~= ARGV[2] or moves ~= ARGV[3] then return {2} end
redis.call('HSET', KEYS[1], 'booked', ARGV[1], 'heldBack', '0')
-- A lost stock has lost its variants, but the counted orders name them.
local counted = {}
for _, id in ipairs(cjson.decode(variants or '[]')) do counted[id] = 0 end
for id, units in pairs(cjson.decode(ARGV[4])) do counted[id] = units end
for id, units in pairs(counted) do
  redis.call('HSET', KEYS[1], 'booked:' .. id, units, 'heldBack:' .. id, '0')
end
return {1}
