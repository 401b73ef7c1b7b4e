#!lua flags=allow-key-locking
--[[
  block: shut a shopper or a range of addresses out at the gate, or let them in again.

  KEYS[1] gate:{-}:blocklist    hash   `shopper <id>` or `ip <range>` -> since when, epoch ms
  KEYS[2] gate:{-}:versions     hash   blocklist
  ARGV[1] field                 of the list
  ARGV[2] blocked               1 shuts out, 0 lets in
  ARGV[3] now                   epoch ms

  Reply {code}
    1 changed      the list has a new listVersion
    2 unchanged

  An listVersion is later than the one before and than the clock, so it never comes twice, also after a loss: whoever holds
  an older list always sees that it is old.
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
