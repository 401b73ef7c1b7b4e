#!lua flags=allow-key-locking
--[[
  release: return the units of ended orders, exactly once.

  KEYS[1] stock:{<sale>:0}           hash   left, stockRevision, tag, packedWindow; left/<id> of each
                                            variant; @<shopper id> -> the shopper's record, as in
                                            reserve.lua
  KEYS[2] stock:{<sale>:0}:outbox    hash   order -> order message
  ARGV[1] orders                     at most 200 lines `<order> @<shopper id>`
  ARGV[2] tag                        a new one

  Reply {code, orders, stockRevision}
    1 released          how many of the orders held units, and the revision of the stock
   10 unknown-sale      the stock is missing: no units are returned

  The call that sets the quantity of an order to 0 returns its units, so no units return twice, and
  none for an order that never held any.

  The shopper keeps the order with a quantity of 0, even an unknown order, and its time as that of a
  try. A request repeated after its order was lost finds it there and cannot take units again under
  an id that is final.

  Units that return to a sold-out stock, or to a variant of which nothing was left, are a restock:
  "sold out" is then out of date.
]]
local stored = redis.call('HMGET', KEYS[1], 'left', 'stockRevision', 'packedWindow')
local left, stockRevision, packedWindow = tonumber(stored[1]), tonumber(stored[2]), stored[3]
if not left then return {10} end

local orders, shoppers = {}, {}
for order, shopper in string.gmatch(ARGV[1], '(%S+) (%S+)') do
  orders[#orders + 1] = order
  shoppers[#shoppers + 1] = shopper
end
if #orders == 0 then return {1, 0, stockRevision} end

local records, changed = {}, {}
for at, record in ipairs(redis.call('HMGET', KEYS[1], unpack(shoppers))) do records[shoppers[at]] = record or '' end
local count, units, ofVariants = 0, 0, {}
for at, order in ipairs(orders) do
  local shopper = shoppers[at]
  local record = records[shopper]
  local _, stop = string.find(record, order .. '=', 1, true)
  local held, time, variant, rest = string.match(record, '^(%d+)@(%d+)/?(%S*)(.*)$', (stop or #record) + 1)
  if not stop then
    records[shopper] = record .. (record == '' and '' or ' ') .. order .. '=0'
    changed[shopper] = true
  elseif held then
    if variant ~= '' then ofVariants[variant] = (ofVariants[variant] or 0) + held end
    local ended = string.sub(record, 1, stop) .. '0' .. rest
    records[shopper] = '@' .. time .. (string.sub(ended, 1, 1) == '@' and ',' .. string.sub(ended, 2) or ' ' .. ended)
    changed[shopper] = true
    count, units = count + 1, units + held
  elseif string.sub(record, stop + 1, stop + 1) ~= '0' then
    error('the record of a shopper is not readable')
  end
end

redis.call('HDEL', KEYS[2], unpack(orders))
local fields = {}
for shopper in pairs(changed) do
  fields[#fields + 1] = shopper
  fields[#fields + 1] = records[shopper]
end
if #fields > 0 then redis.call('HSET', KEYS[1], unpack(fields)) end
if count == 0 then return {1, 0, stockRevision} end
redis.call('HSET', KEYS[1], 'left', left + units)
local isRestock = left <= 0 and left + units > 0
for variant, size in pairs(ofVariants) do
  local after = redis.call('HINCRBY', KEYS[1], 'left/' .. variant, size)
  if after > 0 and after - size <= 0 then isRestock = true end
end
if isRestock then
  stockRevision = stockRevision + 1
  redis.call('HSET', KEYS[1], 'stockRevision', stockRevision, 'tag', ARGV[2])
elseif string.sub(packedWindow, 32, 38) == '!frozen' then
  redis.call('HSET', KEYS[1], 'tag', ARGV[2])
end
return {1, count, stockRevision}
