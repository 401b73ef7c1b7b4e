#!lua flags=allow-key-locking
--[[
  release: return the units of ended orders, exactly once.

  KEYS[1] stock:{<sale>:0}           hash   total, booked, stockRevision
  KEYS[2] stock:{<sale>:0}:buyers    hash   shopper id -> `<order id>=<quantity>`, several separated
                                            by a space, and what
                                            reserve.lua stores before them
  KEYS[3] stock:{<sale>:0}:holds     hash   order id -> `<quantity> <shopper id> <reserved at>`
  KEYS[4] stock:{<sale>:0}:outbox    hash   order id -> order message
  ARGV[1] orders                     at most 200 lines `<order id> <shopper id>`

  Reply {code, orders, stockRevision}
    1 released          how many of the orders held units, and the revision of the stock
   10 unknown-sale      the stock is missing: no units are returned

  The call that deletes the hold returns its units, so no units return twice, and none for an order
  that never held any.

  The buyer keeps the order with a quantity of 0, even an unknown order. A request repeated after
  its order was lost finds it there and cannot take units again under an id that is final.

  Units that return to a sold-out stock are a restock: "sold out" is then out of date. The -1 of an
  unlimited stock is below every count, so it never restocks.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision')
local total, booked, stockRevision = tonumber(stock[1]), tonumber(stock[2]), tonumber(stock[3])
if not total then return {10} end

local ids, shoppers = {}, {}
for id, shopper in string.gmatch(ARGV[1], '(%S+) (%S+)') do
  ids[#ids + 1] = id
  shoppers[#shoppers + 1] = shopper
end
if #ids == 0 then return {1, 0, stockRevision} end

local released, orders, units = {}, {}, 0
for at, hold in ipairs(redis.call('HMGET', KEYS[3], unpack(ids))) do
  local id = ids[at]
  if hold and not released[id] then
    released[id] = true
    units = units + string.match(hold, '^%d+')
    orders[#orders + 1] = id
  end
end

local texts, changed, buyers = {}, {}, {}
for at, text in ipairs(redis.call('HMGET', KEYS[2], unpack(shoppers))) do texts[shoppers[at]] = text or '' end
for at, id in ipairs(ids) do
  local shopper = shoppers[at]
  local text = texts[shopper]
  local _, stop = string.find(text, id .. '=', 1, true)
  local final
  if stop then
    final = string.sub(text, 1, stop) .. '0' .. string.match(text, '^%d+(.*)', stop + 1)
  else
    final = (text == '' and '' or text .. ' ') .. id .. '=0'
  end
  if final ~= text then texts[shopper], changed[shopper] = final, true end
end
for shopper in pairs(changed) do
  buyers[#buyers + 1] = shopper
  buyers[#buyers + 1] = texts[shopper]
end

redis.call('HDEL', KEYS[4], unpack(ids))
if #buyers > 0 then redis.call('HSET', KEYS[2], unpack(buyers)) end
if #orders == 0 then return {1, 0, stockRevision} end
redis.call('HDEL', KEYS[3], unpack(orders))
redis.call('HINCRBY', KEYS[1], 'booked', -units)
if total <= booked and total > booked - units then
  stockRevision = redis.call('HINCRBY', KEYS[1], 'stockRevision', 1)
end
return {1, #orders, stockRevision}
