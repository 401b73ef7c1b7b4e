#!lua flags=allow-key-locking
--[[
  recount: set what is left of a frozen stock by the counted units of its orders.

  KEYS[1] stock:{<sale>:0}    hash   left, tag, packedWindow, heldBack
  ARGV[1] left                by the count
  ARGV[2] tag                 before the count began

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
local tag, packedWindow = unpack(redis.call('HMGET', KEYS[1], 'tag', 'packedWindow'))
if not tag then return {10} end
if string.sub(packedWindow, 32, 38) ~= '!frozen' then return {3} end
if tag ~= ARGV[2] then return {2} end
redis.call('HSET', KEYS[1], 'left', ARGV[1], 'heldBack', '0')
return {1}
