#!lua flags=allow-key-locking
--[[
  freeze: stop a sale from selling until unfreeze, when its stock is correct again.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, stockRevision, change, frozen, moves, generation; the
                                     definition
  ARGV[1] freeze              an id that no freeze has had before
  ARGV[2] generation          of a shard of a split stock, 0 for any other stock
  ARGV[3] definition          fields and values as JSON, for a missing stock

  Reply {code}
    1 frozen      the existing stock
    2 created     the stock was missing: an empty frozen one was created
    3 late        a later recovery has frozen this shard: nothing changed
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'frozen', 'generation')
local generation = tonumber(stored[3] or '0')
if tonumber(ARGV[2]) < generation then return {3} end
if tonumber(ARGV[2]) > generation then redis.call('HSET', KEYS[1], 'generation', ARGV[2]) end
if stored[2] then return {1} end
redis.call('HSET', KEYS[1], 'frozen', ARGV[1], 'moves', '0')
if stored[1] then return {1} end
local fields = {'total', '0', 'booked', '0', 'stockRevision', '0', 'change', '0'}
for field, value in pairs(cjson.decode(ARGV[3])) do
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
redis.call('HSET', KEYS[1], unpack(fields))
return {2}
