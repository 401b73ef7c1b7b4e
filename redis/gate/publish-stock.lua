#!lua flags=allow-key-locking
--[[
  publish-stock: record for the gate which revision of the stock sold out, or was restocked.

  KEYS[1] gate:{<sale>}     hash   soldOutRevision, restockedRevision
  ARGV[1] field             soldOutRevision or restockedRevision
  ARGV[2] revision          stockRevision of the stock

  Reply {code, revision}    the stored one afterwards
    1 published
    2 unchanged     the same or a later one is stored

  A revision never decreases, so a call may arrive late, twice or out of order. The sale is sold out for the
  gate while soldOutRevision is not below restockedRevision, so a late report of an old sell-out cannot close
  a restocked sale.
]]
local present = redis.call('HGET', KEYS[1], ARGV[1])
local revision = tonumber(ARGV[2])
if present and tonumber(present) >= revision then return {2, tonumber(present)} end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return {1, revision}
