#!lua flags=allow-key-locking
--[[
  publish-filter: publish the Bloom filter of all published sales, if it was built from the current list.

  KEYS[1] gate:{-}:filter      string   the filter in base64
  KEYS[2] gate:{-}:versions    hash     sales, filter
  ARGV[1] filter               in base64
  ARGV[2] list listVersion     from which the filter was built
  ARGV[3] now                  epoch ms

  Reply {code}
    1 published
    2 moved        the list has changed: nothing was stored
]]
local versions = redis.call('HMGET', KEYS[2], 'sales', 'filter')
local sales, filter = versions[1] or '0', versions[2] or '0'
if sales ~= ARGV[2] then return {2} end
local listVersion = math.max(tonumber(filter) + 1, tonumber(sales), tonumber(ARGV[3]))
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], 'filter', string.format('%d', listVersion))
return {1}
