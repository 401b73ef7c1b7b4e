#!lua flags=allow-key-locking
--[[
  list-sale: add a sale's id to the list of published sales, or remove it.

  KEYS[1] gate:{-}:sales       set    sale ids
  KEYS[2] gate:{-}:versions    hash   sales, filter
  ARGV[1] sale id
  ARGV[2] listed               1 adds it, 0 removes it
  ARGV[3] now                  epoch ms

  Reply {code, list, filter, new list}
    1 changed      the list has a new listVersion
    2 unchanged    no new list

  `list` and `filter` are the previous listVersions, 0 for one that never existed.

  The list and its listVersion change together, so a filter that is stored under a listVersion contains every
  id that was listed then. The new listVersion is also greater than that of any filter, so a filter is current
  exactly when its listVersion is not below the list's. It is at least the clock, so a list that was lost and
  rebuilt has new versions.
]]
local changed
if ARGV[2] == '1' then
  changed = redis.call('SADD', KEYS[1], ARGV[1])
else
  changed = redis.call('SREM', KEYS[1], ARGV[1])
end
local versions = redis.call('HMGET', KEYS[2], 'sales', 'filter')
local list, filter = tonumber(versions[1] or '0'), tonumber(versions[2] or '0')
if changed == 0 then return {2, list, filter} end
local listVersion = math.max(math.max(list, filter) + 1, tonumber(ARGV[3]))
redis.call('HSET', KEYS[2], 'sales', string.format('%d', listVersion))
return {1, list, filter, listVersion}
