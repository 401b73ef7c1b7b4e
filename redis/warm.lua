#!lua flags=allow-key-locking
--[[
  warm: put a sale's stock on the shelf, and keep its definition up to date.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, restocks, change; flag, epoch, startToken, startsAt, endsAt, limit, max, version, terms
  ARGV[1] total               units, -1 for an unlimited stock; used only when there is none yet
  ARGV[2] version             of the definition that follows
  ARGV[3] flag                off, on, paused or closed
  ARGV[4] epoch
  ARGV[5] start token         empty until the sale is first started
  ARGV[6] starts at           epoch ms
  ARGV[7] ends at             epoch ms
  ARGV[8] limit per shopper
  ARGV[9] max per order
  ARGV[10] terms              of the opening, packed for reserve.lua
  ARGV[11] tries              of one shopper and the window they count in, packed likewise
  ARGV[12] last change        number of the last stock change that total contains, 0 for none

  Reply {code, total, booked}
    1 warmed     the stock was put there
    2 present    it was there already and its counters were not touched

  Counters belong to the running sale: only the first call sets them, so that warming twice, or late, cannot
  give a sold unit back. The definition is only ever replaced by the same or a newer version, and never lifts a
  fence: that is for reopen.lua.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'version', 'terms')
local total, booked, version, terms = stored[1], stored[2], stored[3], stored[4]
if not version or tonumber(ARGV[2]) >= tonumber(version) then
  if string.sub(terms or '', 32, 38) ~= '!fenced' then
    terms = ARGV[10] .. ' ' .. ARGV[9] .. ' ' .. ARGV[8] .. ' ' .. ARGV[11]
  end
  redis.call('HSET', KEYS[1], 'version', ARGV[2], 'flag', ARGV[3], 'epoch', ARGV[4], 'startToken', ARGV[5],
    'startsAt', ARGV[6], 'endsAt', ARGV[7], 'limit', ARGV[8], 'max', ARGV[9], 'terms', terms)
end
if total then return {2, tonumber(total), tonumber(booked)} end
redis.call('HSET', KEYS[1], 'total', ARGV[1], 'booked', '0', 'restocks', '0', 'change', ARGV[12])
return {1, tonumber(ARGV[1]), 0}
