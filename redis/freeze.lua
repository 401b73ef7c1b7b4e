#!lua flags=allow-key-locking
--[[
  freeze: stop a sale from selling until unfreeze says that its stock is correct again.

  KEYS[1] stock:{<sale>:0}          hash   total, booked, stockRevision, change; flag, epoch,
                                           startToken, startsAt, endsAt, limit, max, version,
                                           packedWindow
  KEYS[2] stock:{<sale>:0}:holds    hash   order id -> `<quantity> <shopper id> <reserved at>`
  ARGV[1] packedWindow                  of a frozen stock

  Reply {code}
    1 frozen      the existing stock
    2 created     the stock was missing: an empty frozen one was created

  A stock that was lost alone leaves its holds behind; their units are booked, so that both agree.
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
