#!lua flags=allow-key-locking
--[[
  unlock: give a sale's lock back, if it is the caller's.

  KEYS[1] lock:{<sale>}    string   request id of the holder, with an expiry
  ARGV[1] request id

  Reply {code}
    1 unlocked
    2 not-ours     it ran out, and may be somebody else's by now

  Asked and deleted in one step: between two, the lock could run out and change hands.
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {2} end
redis.call('DEL', KEYS[1])
return {1}
