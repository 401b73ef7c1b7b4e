#!lua flags=allow-key-locking
--[[
  recount: set what is left of a frozen stock by the counted units of its orders.

  KEYS[1] stock:{<sale>:0}    hash   left, tag, packedWindow, heldBack, variants; of each variant
                                     total/<id>, left/<id>, heldBack/<id>
  ARGV[1] left                by the count
  ARGV[2] tag                 before the count began
  ARGV[3] variants            units of the counted orders, `<id>*<units>+<id>*<units>`; absent for a
                              sale without variants

  Reply {code}
    1 recounted       so many are left
    2 moved           units were released or restored meanwhile: count again
    3 open            the stock is not frozen: sales would change the count
   10 unknown-sale    the stock is missing

  left is a difference stored beside its parts. When it is wrong, every later step would be right by
  itself and the difference would stay for ever. Orders are counted in many calls, so that Redis is
  never blocked for long; release.lua and restore.lua change the tag of a frozen stock. Units held
  back belong to no order: unfreeze.lua holds them back again.
]]
local tag, packedWindow, variants = unpack(redis.call('HMGET', KEYS[1], 'tag', 'packedWindow', 'variants'))
if not tag then return {10} end
if string.sub(packedWindow, 32, 38) ~= '!frozen' then return {3} end
if tag ~= ARGV[2] then return {2} end
redis.call('HSET', KEYS[1], 'left', ARGV[1], 'heldBack', '0')
-- A lost stock has forgotten its variants: what it has to know of them is in the counted orders.
local counted = {}
for id in string.gmatch(variants or '', '%S+') do counted[id] = 0 end
for id, units in string.gmatch(ARGV[3] or '', '([^*+]+)%*(%d+)') do counted[id] = tonumber(units) end
for id, units in pairs(counted) do
  local total = redis.call('HGET', KEYS[1], 'total/' .. id) or '0'
  redis.call('HSET', KEYS[1], 'left/' .. id, total - units, 'heldBack/' .. id, '0')
end
return {1}
