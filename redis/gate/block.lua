#!lua flags=allow-key-locking
--[[
  block: block a shopper or a range of addresses at the gate, or unblock it.

  KEYS[1] gate:{-}:blocklist    hash   `shopper <id>` or `ip <range>` -> since when, epoch ms
  KEYS[2] gate:{-}:versions     hash   blocklist
  ARGV[1] field                 of the list
  ARGV[2] blocked               1 blocks, 0 unblocks
  ARGV[3] now                   epoch ms

  Reply {code}
    1 changed      the list has a new listVersion
    2 unchanged

  A listVersion is greater than the previous one and not less than the clock, so it never repeats, even
  after a data loss, and a reader of an older list always sees that its list is stale.
]]
local changed
if ARGV[2] == '1' then
  changed = redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3])
else
  changed = redis.call('HDEL', KEYS[1], ARGV[1])
end
if changed == 0 then return {2} end
local listVersion = tonumber(redis.call('HGET', KEYS[2], 'blocklist') or '0')
redis.call('HSET', KEYS[2], 'blocklist', string.format('%d', math.max(listVersion + 1, tonumber(ARGV[3]))))
return {1}
