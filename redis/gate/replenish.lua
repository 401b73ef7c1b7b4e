#!lua flags=allow-key-locking
--[[
  replenish: publish the counts of a sale to the gate, and expire old admissions.

  KEYS[1] gate:{<sale>}:admissions    hash   total, ratio, booked, maxBooked, revision, asOf, out,
                                             epoch, countedAt, since, rate, maxRate, second,
                                             granted; b<epoch second> -> admissions granted in it;
                                             s<revision>.<epoch second> -> maximum of booked units
                                             reported in it
  KEYS[2] gate:{<sale>}:demand        hash   <place>:<outcome> -> count; only read
  ARGV[1] as of                       epoch ms, before the units were counted
  ARGV[2] total                       units, -1 for an unlimited stock; empty when it could not be
                                      read: only the rate is published
  ARGV[3] booked                      units; empty when the stock is lost or frozen and cannot be
                                      counted
  ARGV[4] stockRevision               of the stock that was counted
  ARGV[5] ratio                       admissions per unit in thousandths; empty keeps the stored one
  ARGV[6] expired                     epoch ms; admissions granted until then were used or have expired
  ARGV[7] epoch                       of the stock that was counted, 0 before it was opened
  ARGV[8] max rate                    admissions in a second by the sale's setting; empty keeps the stored
                                      one
  ARGV[9] rate                        admissions in a second from now on; empty keeps the stored one

  Reply {code, rate, demand}
    1 replenished                     the rate from now on, -1 for none, and the demand as names and
                                      counts, empty when only the rate is published
    2 superseded                      a newer count is stored: nothing changed; neither rate nor demand

  Units booked before `as of` are in booked, so an admission that expired by then can be freed: it either
  booked units, which are counted, or booked none. For the same reason an older count must not overwrite a
  newer one: it lacks units whose admissions are freed already. A count must also not be lower than later
  reports of complete-admissions.lua, with a second of tolerance for clock skew. Reports of an earlier revision
  than the count are ignored, because a restock made the later one.

  Without a count nothing is granted and no data is dropped: booked and out are then the only record of what
  the lost stock had sold, and `recover` holds that many units back. A stock of an earlier epoch than the last
  count was rolled back, so its count is ignored. maxBooked is the maximum of booked ever: red packets are
  claimed in the order of their numbers, so it bounds the claimed numbers. countedAt is the time of the last
  count. since is the time from which this hash has all admissions: the first count, or 0 if the sale had not
  been opened then.

  The rate starts with the setting and never exceeds it. A second far in the future, from a wrong clock, is
  dropped, because it would prevent grants until then.

  Without a ratio nothing can be granted. If this hash was lost, the admissions in `out` are unknown, so for
  some seconds too many requests may pass; the stock still prevents overselling. A key of another type counts
  as lost, because it would block the sale forever. The reply includes the demand, to save a command.
]]
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then redis.call('DEL', KEYS[1]) end
local stored = redis.call('HMGET', KEYS[1], 'asOf', 'booked', 'revision', 'epoch', 'since', 'maxBooked',
  'rate', 'maxRate', 'second')
local asOf, epoch = tonumber(ARGV[1]), tonumber(ARGV[7])
if stored[1] and asOf < tonumber(stored[1]) then return {2} end

local most = tonumber(ARGV[8]) or tonumber(stored[8])
local rate = -1
if most then
  rate = math.min(most, tonumber(ARGV[9]) or tonumber(stored[7]) or most)
  redis.call('HSET', KEYS[1], 'rate', string.format('%d', rate), 'maxRate', string.format('%d', most))
end
if ARGV[2] == '' then return {1, rate, {}} end
if stored[9] and tonumber(stored[9]) * 1000 > asOf + 2000 then redis.call('HDEL', KEYS[1], 'second', 'granted') end

local isCounted = ARGV[3] ~= '' and epoch >= tonumber(stored[4] or '0')
local total, booked, revision, out = '0', tonumber(stored[2] or '0'), tonumber(stored[3] or '0'), 0
if isCounted then total, booked, revision = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]) end
local latest = revision
local fields = redis.call('HGETALL', KEYS[1])
for at = 1, #fields, 2 do
  local field, count = fields[at], tonumber(fields[at + 1])
  local second = string.match(field, '^b(%d+)$')
  local seenIn, seenAt = string.match(field, '^s(%d+)%.(%d+)$')
  local isOld = second and (second + 1) * 1000 <= tonumber(ARGV[6]) or seenAt and (seenAt + 2) * 1000 <= asOf
  if isOld and isCounted then
    redis.call('HDEL', KEYS[1], field)
  elseif second then
    out = out + count
  elseif seenIn and tonumber(seenIn) >= revision then
    booked, latest = math.max(booked, count), math.max(latest, tonumber(seenIn))
  end
end
redis.call('HSET', KEYS[1], 'asOf', ARGV[1], 'total', total, 'booked', string.format('%d', booked),
  'maxBooked', string.format('%d', math.max(booked, tonumber(stored[6] or '0'))),
  'revision', string.format('%d', latest), 'out', string.format('%d', out))
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'ratio', ARGV[5]) end
if isCounted then
  redis.call('HSET', KEYS[1], 'epoch', ARGV[7], 'countedAt', ARGV[1])
  if not stored[5] then redis.call('HSET', KEYS[1], 'since', epoch == 0 and '0' or ARGV[1]) end
end
local isCounting = redis.call('TYPE', KEYS[2]).ok == 'hash'
return {1, rate, isCounting and redis.call('HGETALL', KEYS[2]) or {}}
