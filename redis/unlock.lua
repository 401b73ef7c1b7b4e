#!lua flags=allow-key-locking
--[[
  unlock: release a sale's lock, if it is the caller's.

  KEYS[1] lock:{<sale>}    string   request id of the holder, with an expiry
  ARGV[1] request id

  Reply {code}
    1 unlocked
    2 not-ours     it expired, and another request may hold it

  Check and delete are one step: between two, the lock could expire and change owner.
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {2} end
redis.call('DEL', KEYS[1])
return {1}
