#!lua flags=allow-key-locking
--[[
  release: return the units of ended orders, exactly once.

  KEYS[1] stock:{<sale>:0}           hash   total, booked, stockRevision, frozen, moves; total:<id> and
                                            booked:<id> of each variant; shopper:<id> -> the shopper's
                                            record, as in reserve.lua
  KEYS[2] stock:{<sale>:0}:outbox    hash   order -> order message
  KEYS[3] stock:{<sale>:0}:packets   list   red packets as JSON, the next one last
  ARGV[1] orders                     at most 200 [order, shopper id, packet is taken], as JSON

  Reply {code, orders, stockRevision}
    1 released          the number of orders that held units, and the revision of the stock
   10 unknown-sale      the stock is missing: no units are returned

  The call that sets the quantity of an order to 0 returns its units, so no units return twice, and none for
  an order that never held any.

  The record keeps the order with a quantity of 0, even an unknown order, and its time, which counts as a try.
  So a repeated request finds it, and cannot book units again under a final id.

  Units that return to a sold-out stock or variant are a restock, because "sold out" is then stale. A returned
  red packet is the next one to be claimed, unless the table has given it to another order.
]]
local total, booked, stockRevision, frozen = unpack(redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'frozen'))
if not total then return {10} end

local orders, shoppers, isTaken, records = {}, {}, {}, {}
for at, line in ipairs(cjson.decode(ARGV[1])) do
  orders[at], shoppers[at], isTaken[at] = line[1], 'shopper:' .. line[2], line[3]
end
if #orders == 0 then return {1, 0, tonumber(stockRevision)} end
for at, record in ipairs(redis.call('HMGET', KEYS[1], unpack(shoppers))) do
  records[shoppers[at]] = records[shoppers[at]] or record and cjson.decode(record) or {orders = {}}
end

local count, units, ofVariants, changed, packets = 0, 0, {}, {}, {}
for at, order in ipairs(orders) do
  local all = records[shoppers[at]].orders
  local held = all[order]
  if not held then
    all[order], changed[shoppers[at]] = {units = 0}, true
  elseif held.units > 0 then
    if held.variant then ofVariants[held.variant] = (ofVariants[held.variant] or 0) + held.units end
    if held.packet and not isTaken[at] then packets[#packets + 1] = cjson.encode(held.packet) end
    count, units = count + 1, units + held.units
    all[order], changed[shoppers[at]] = {units = 0, at = held.at}, true
  end
end

redis.call('HDEL', KEYS[2], unpack(orders))
local fields = {}
for shopper in pairs(changed) do
  fields[#fields + 1] = shopper
  fields[#fields + 1] = cjson.encode(records[shopper])
end
if #fields > 0 then redis.call('HSET', KEYS[1], unpack(fields)) end
if count == 0 then return {1, 0, tonumber(stockRevision)} end
redis.call('HSET', KEYS[1], 'booked', booked - units)
if #packets > 0 then redis.call('RPUSH', KEYS[3], unpack(packets)) end
local isRestock = total - booked <= 0 and total - booked + units > 0
for variant, size in pairs(ofVariants) do
  local left = (redis.call('HGET', KEYS[1], 'total:' .. variant) or 0) - redis.call('HINCRBY', KEYS[1], 'booked:' .. variant, -size)
  if left > 0 and left - size <= 0 then isRestock = true end
end
if isRestock then stockRevision = redis.call('HINCRBY', KEYS[1], 'stockRevision', 1) end
if frozen then redis.call('HINCRBY', KEYS[1], 'moves', 1) end
return {1, count, tonumber(stockRevision)}
