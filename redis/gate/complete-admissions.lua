#!lua flags=allow-key-locking
--[[
  complete-admissions: free the admissions of decided requests before they expire.

  KEYS[1] gate:{<sale>}:admissions    hash   total, booked, maxBooked, revision, out; b<epoch
                                             second> -> admissions granted in it; s<revision>.<epoch
                                             second> -> maximum of booked units reported in it
  ARGV[1] now                         epoch ms, taken after the clicks were decided
  ARGV[2] seconds                     of their admissions as a list in JSON, at most 200
  ARGV[3] booked                      units after the latest of them; empty if none reported it
  ARGV[4] stockRevision               of that report; empty without one

  Reply {code}
    1 completed
   10 unknown        no count was published yet: nothing to complete

  An admission leaves its bucket when its units are added to booked, never before: otherwise both would be
  missing from the bounded sum. The reported counts are stored by second for replenish.lua, whose count may
  be older.

  revision is the stock revision of booked. A restock makes a new revision, in which fewer units may be
  booked. So a later revision replaces booked, within one revision the maximum counts, and an earlier
  revision is ignored.

  Call once per request. Admissions that are never completed expire, see replenish.lua.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'revision', 'maxBooked')
local total, booked, revision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total then return {10} end

local seen, seenIn = tonumber(ARGV[3]), tonumber(ARGV[4])
if seen and total ~= -1 then
  local word = string.format('s%d.%d', seenIn, math.floor(ARGV[1] / 1000))
  if seen > tonumber(redis.call('HGET', KEYS[1], word) or '-1') then redis.call('HSET', KEYS[1], word, ARGV[3]) end
  if seenIn > revision or seenIn == revision and seen > booked then
    redis.call('HSET', KEYS[1], 'booked', ARGV[3], 'revision', ARGV[4])
  end
  if seen > tonumber(stored[4] or '0') then redis.call('HSET', KEYS[1], 'maxBooked', ARGV[3]) end
end

local counts = {}
for _, second in ipairs(cjson.decode(ARGV[2])) do counts[second] = (counts[second] or 0) + 1 end
local completed = 0
for second, count in pairs(counts) do
  local bucket = 'b' .. second
  count = math.min(count, tonumber(redis.call('HGET', KEYS[1], bucket) or '0'))
  if count > 0 then
    redis.call('HINCRBY', KEYS[1], bucket, -count)
    completed = completed + count
  end
end
if completed > 0 then redis.call('HINCRBY', KEYS[1], 'out', -completed) end
return {1}
