#!lua flags=allow-key-locking
--[[
  release: give the units of orders back that lost them, once each.

  KEYS[1] stock:{<sale>:0}           hash   total, booked, restocks
  KEYS[2] stock:{<sale>:0}:buyers    hash   shopper id -> `<order id>=<quantity>`, several separated by a space
  KEYS[3] stock:{<sale>:0}:holds     hash   order id -> `<quantity> <shopper id> <reserved at>`
  KEYS[4] stock:{<sale>:0}:outbox    hash   order id -> order message
  ARGV[1] order ids                  at most 200, separated by spaces

  Reply {code, orders, restocks}
    1 released          how many of the orders had units to give back, and the revision of the stock
   10 unknown-sale      no stock on the shelf: there is nothing to give back to

  The hold is the right to give back: whoever removes it takes its units out of booked, so nothing comes back twice,
  and nothing for an order that never had any.

  The buyer keeps the order with a quantity of 0. A request that is repeated after its order was lost finds it there
  and cannot take units a second time under an id that is final already.

  Units that come back to a stock with nothing left are a restock: from here on "sold out" is old news. The -1 of an
  unlimited stock is below every count, so it never has one.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'booked', 'restocks')
local total, booked, restocks = tonumber(stock[1]), tonumber(stock[2]), tonumber(stock[3])
if not total then return {10} end

local ids = {}
for id in string.gmatch(ARGV[1], '%S+') do ids[#ids + 1] = id end
if #ids == 0 then return {1, 0, restocks} end

local released, shoppers, orders, units = {}, {}, {}, 0
for at, hold in ipairs(redis.call('HMGET', KEYS[3], unpack(ids))) do
  local id = ids[at]
  if hold and not released[id] then
    local quantity, shopper = string.match(hold, '^(%d+) (%S+)')
    released[id] = true
    units = units + quantity
    shoppers[#shoppers + 1] = shopper
    orders[#orders + 1] = id
  end
end

local texts, buyers = {}, {}
if #orders > 0 then
  for at, text in ipairs(redis.call('HMGET', KEYS[2], unpack(shoppers))) do
    texts[shoppers[at]] = text or nil
  end
  for at, id in ipairs(orders) do
    local shopper = shoppers[at]
    local text = texts[shopper]
    local _, stop = string.find(text or '', id .. '=', 1, true)
    if stop then
      texts[shopper] = string.sub(text, 1, stop) .. '0' .. string.match(text, '^%d+(.*)', stop + 1)
    end
  end
  for shopper, text in pairs(texts) do
    buyers[#buyers + 1] = shopper
    buyers[#buyers + 1] = text
  end
end

redis.call('HDEL', KEYS[4], unpack(ids))
if #orders == 0 then return {1, 0, restocks} end
redis.call('HDEL', KEYS[3], unpack(orders))
if #buyers > 0 then redis.call('HSET', KEYS[2], unpack(buyers)) end
redis.call('HINCRBY', KEYS[1], 'booked', -units)
if total <= booked and total > booked - units then
  restocks = redis.call('HINCRBY', KEYS[1], 'restocks', 1)
end
return {1, #orders, restocks}
