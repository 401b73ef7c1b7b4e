#!lua flags=allow-key-locking
--[[
  unlock: release a sale's lock, if the caller holds it.

  KEYS[1] lock:{<sale>}    string   request id of the holder, with an expiry
  ARGV[1] request id

  Reply {code}
    1 unlocked
    2 not-ours     it has expired, and another request may hold it

  Check and delete are one step, because the lock could expire and change its owner in between.
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {2} end
redis.call('DEL', KEYS[1])
return {1}
