#!lua flags=allow-key-locking
--[[
  freeze: let nobody take units of a sale until unfreeze says that its books are right again.

  KEYS[1] stock:{<sale>:0}          hash   total, booked, stockRevision, change; flag, epoch, startToken, startsAt, endsAt, limit, max, version, packedWindow
  KEYS[2] stock:{<sale>:0}:holds    hash   order id -> `<quantity> <shopper id> <reserved at>`
  ARGV[1] packedWindow                     of a frozen stock

  Reply {code}
    1 frozen      the stock that was there
    2 created     there was none: an empty one keeps its place

  A stock that was lost alone leaves its holds behind; what they hold is booked, so that the books agree.
]]
if redis.call('HEXISTS', KEYS[1], 'total') == 1 then
  redis.call('HSET', KEYS[1], 'packedWindow', ARGV[1])
  return {1}
end
local booked = 0
for _, hold in ipairs(redis.call('HVALS', KEYS[2])) do booked = booked + string.match(hold, '^%d+') end
redis.call('HSET', KEYS[1], 'total', '0', 'booked', string.format('%d', booked), 'stockRevision', '0', 'change', '0',
  'flag', 'closed', 'epoch', '0', 'startToken', '', 'startsAt', '0', 'endsAt', '0', 'limit', '1', 'max', '1',
  'version', '0', 'packedWindow', ARGV[1])
return {2}
