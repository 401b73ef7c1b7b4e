#!lua flags=allow-key-locking
--[[
  replace-pass-keys: publish new pass keys, if the stored ones are those that they were derived from.

  KEYS[1] gate:{-}:versions    hash     passKeys
  ARGV[1] present              the keys as they were read, empty when there were none
  ARGV[2] keys                 the new keys

  Reply {code}
    1 replaced
    2 moved        other keys are stored: nothing changed

  An emergency rotation overwrites the keys. Without the comparison, a concurrent run that has read the leaked
  keys before could write them back.
]]
if (redis.call('HGET', KEYS[1], 'passKeys') or '') ~= ARGV[1] then return {2} end
redis.call('HSET', KEYS[1], 'passKeys', ARGV[2])
return {1}
