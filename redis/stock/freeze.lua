#!lua flags=allow-key-locking
--[[
  freeze: stop a sale from selling until unfreeze says that its stock is correct again.

  KEYS[1] stock:{<sale>:0}    hash   total, left, stockRevision, change; flag, epoch, startToken,
                                     startsAt, endsAt, limit, max, version, packedWindow, tag,
                                     generation
  ARGV[1] packedWindow        of a frozen stock
  ARGV[2] tag                 a new one
  ARGV[3] generation          of a shard of a split stock, 0 for any other stock

  Reply {code}
    1 frozen      the existing stock
    2 created     the stock was missing: an empty frozen one was created
    3 late        a later recovery has frozen this shard since: nothing changed
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'packedWindow', 'generation')
local generation = tonumber(stored[3] or '0')
if tonumber(ARGV[3]) < generation then return {3} end
if tonumber(ARGV[3]) > generation then redis.call('HSET', KEYS[1], 'generation', ARGV[3]) end
if stored[2] == ARGV[1] then return {1} end
redis.call('HSET', KEYS[1], 'packedWindow', ARGV[1], 'tag', ARGV[2])
if stored[1] then return {1} end
local flag = 'closed'
redis.call('HSET', KEYS[1], 'total', '0', 'left', '0', 'stockRevision', '0', 'change', '0', 'flag', flag,
  'epoch', '0', 'startToken', '', 'startsAt', '0', 'endsAt', '0', 'limit', '1', 'max', '1', 'version', '0')
return {2}
