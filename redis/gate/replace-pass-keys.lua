#!lua flags=allow-key-locking
--[[
  replace-pass-keys: publish new keys of passes, if the present ones are those they were made from.

  KEYS[1] gate:{-}:versions    hash     passKeys
  ARGV[1] present              the keys as they were read, empty when there were none
  ARGV[2] keys                 the new ones

  Reply {code}
    1 replaced
    2 moved        others are there: nothing was stored

  An emergency rotation writes its keys over any others. Without the comparison, a run that has read
  before it could write the leaked keys back after it.
]]
if (redis.call('HGET', KEYS[1], 'passKeys') or '') ~= ARGV[1] then return {2} end
redis.call('HSET', KEYS[1], 'passKeys', ARGV[2])
return {1}
