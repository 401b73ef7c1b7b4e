#!lua flags=allow-key-locking
--[[
  list-sale: put a sale's id on the list of published sales, or take it off.

  KEYS[1] gate:{-}:sales       set    sale ids
  KEYS[2] gate:{-}:versions    hash   sales, filter
  ARGV[1] sale id
  ARGV[2] listed               1 puts it there, 0 takes it off
  ARGV[3] now                  epoch ms

  Reply {code}
    1 changed      the list has a new listVersion
    2 unchanged

  The list and its listVersion change together, so a filter that was made of one listVersion and stored under that listVersion holds
  every id that was on the list before. The new listVersion is also later than that of any filter: a filter is up to date
  exactly when its listVersion has reached the list's. The clock makes versions of a list that was lost and made anew
  differ from the old ones.
]]
local changed
if ARGV[2] == '1' then
  changed = redis.call('SADD', KEYS[1], ARGV[1])
else
  changed = redis.call('SREM', KEYS[1], ARGV[1])
end
if changed == 0 then return {2} end
local versions = redis.call('HMGET', KEYS[2], 'sales', 'filter')
local latest = math.max(tonumber(versions[1] or '0'), tonumber(versions[2] or '0'))
redis.call('HSET', KEYS[2], 'sales', string.format('%d', math.max(latest + 1, tonumber(ARGV[3]))))
return {1}
