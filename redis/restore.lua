#!lua flags=allow-key-locking
--[[
  restore: make Redis agree with the table about orders.

  KEYS[1] stock:{<sale>:0}           hash   total, booked, stockRevision, heldBack, heldSince
  KEYS[2] stock:{<sale>:0}:buyers    hash   shopper id -> `<order id>=<quantity>`, several separated
                                            by a space, and what
                                            reserve.lua stores before them
  KEYS[3] stock:{<sale>:0}:holds     hash   order id -> `<quantity> <shopper id> <reserved at>`
  KEYS[4] stock:{<sale>:0}:outbox    hash   order id -> order message
  ARGV[1] orders                     at most 200 lines `<order id> <quantity> <shopper id> <reserved
                                     at>`; the
                                     quantity of an order without units is 0, the time is 15 digits wide

  Reply {code, orders, booked, stockRevision}
    1 restored          how many orders were corrected; the counters afterwards
   10 unknown-sale      the stock is missing; no counters

  An order with units gets its hold and its place with its buyer, and is counted, unless it is
  there. One without units loses them as by release.lua, and is remembered with its buyer.

  An order from before `heldSince` takes its units from those held back for it, so booked stays the
  same.

  A buyer's 0 is final and wins: the list that the orders were read from may be older than the
  release.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'heldBack', 'heldSince')
local total, booked, stockRevision = tonumber(stock[1]), tonumber(stock[2]), tonumber(stock[3])
if not total then return {10} end
local heldBack, heldSince = tonumber(stock[4] or '0'), stock[5] or ''

local ids, quantities, shoppers, times = {}, {}, {}, {}
for id, quantity, shopper, time in string.gmatch(ARGV[1], '(%S+) (%d+) (%S+) (%d+)') do
  local at = #ids + 1
  ids[at], quantities[at], shoppers[at], times[at] = id, quantity, shopper, time
end
if #ids == 0 then return {1, 0, booked, stockRevision} end

local holds, texts = {}, {}
for at, hold in ipairs(redis.call('HMGET', KEYS[3], unpack(ids))) do holds[ids[at]] = hold end
for at, text in ipairs(redis.call('HMGET', KEYS[2], unpack(shoppers))) do texts[shoppers[at]] = text or '' end

-- An order may be listed twice, so each line sees the effect of the lines before it.
local after, arrived, changed, count = booked, 0, {}, 0
local newHolds, newTexts = {}, {}
for at, id in ipairs(ids) do
  local shopper, quantity = shoppers[at], quantities[at]
  local hold, text = holds[id], texts[shopper]
  local _, stop = string.find(text, id .. '=', 1, true)
  local known = stop and string.match(text, '^%d+', stop + 1)
  if known == '0' then quantity = '0' end

  local rightHold, rightText = hold, text
  if quantity == '0' then
    rightHold = false
    if hold then after = after - string.match(hold, '^%d+') end
  elseif not hold then
    rightHold = quantity .. ' ' .. shopper .. ' ' .. times[at]
    after = after + quantity
    if times[at] < heldSince then arrived = arrived + quantity end
  end
  if not stop then
    rightText = (text == '' and '' or text .. ' ') .. id .. '=' .. quantity
  elseif quantity == '0' then
    rightText = string.sub(text, 1, stop) .. '0' .. string.match(text, '^%d+(.*)', stop + 1)
  end

  if rightHold ~= hold then holds[id], newHolds[id] = rightHold, true end
  if rightText ~= text then texts[shopper], newTexts[shopper] = rightText, true end
  if (rightHold ~= hold or rightText ~= text) and not changed[id] then changed[id], count = true, count + 1 end
end

local put, gone, buyers = {}, {}, {}
for id in pairs(newHolds) do
  if holds[id] then
    put[#put + 1] = id
    put[#put + 1] = holds[id]
  else
    gone[#gone + 1] = id
  end
end
for shopper in pairs(newTexts) do
  buyers[#buyers + 1] = shopper
  buyers[#buyers + 1] = texts[shopper]
end
if #gone > 0 then
  redis.call('HDEL', KEYS[3], unpack(gone))
  redis.call('HDEL', KEYS[4], unpack(gone))
end
if #put > 0 then redis.call('HSET', KEYS[3], unpack(put)) end
if #buyers > 0 then redis.call('HSET', KEYS[2], unpack(buyers)) end
arrived = math.min(arrived, heldBack)
if arrived > 0 then
  after = after - arrived
  redis.call('HSET', KEYS[1], 'heldBack', string.format('%d', heldBack - arrived))
end
if after ~= booked then redis.call('HINCRBY', KEYS[1], 'booked', after - booked) end
if total <= booked and total > after then
  stockRevision = redis.call('HINCRBY', KEYS[1], 'stockRevision', 1)
end
return {1, count, after, stockRevision}
