#!lua flags=allow-key-locking
--[[
  renew: extend a sale's lock, if the caller still holds it.

  KEYS[1] lock:{<sale>}    string   request id of the holder, with an expiry
  ARGV[1] request id
  ARGV[2] expiry           ms from now

  Reply {code}
    1 renewed
    2 not-ours    it has expired, and another request may hold it
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {2} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {1}
