#!lua flags=allow-key-locking
--[[
  restore: make Redis agree with the table about orders.

  KEYS[1] stock:{<sale>:0}           hash   total, left, stockRevision, tag, heldBack, heldSince,
                                            packedWindow; left/<id> and heldBack/<id> of each
                                            variant; @<shopper id> -> the shopper's record, as in
                                            reserve.lua
  KEYS[2] stock:{<sale>:0}:outbox    hash   order -> order message
  ARGV[1] orders                     at most 200 lines `<order> <quantity> @<shopper id> <reserved
                                     at>`, with the variant after a slash if there is one; the
                                     quantity of an order without units is 0
  ARGV[2] tag                        a new one

  Reply {code, orders, left, stockRevision, total}
    1 restored          how many orders were corrected; the counters afterwards
   10 unknown-sale      the stock is missing; no counters

  An order with units gets its place with its shopper, and its units are taken, unless it is there
  with the same units. A Redis that was rolled back may hold others: it answered the order's key
  again, for other units. One without units loses them as by release.lua, and is remembered with its shopper.

  An order from before `heldSince` takes its units from those held back for it, so `left` stays the
  same. So does what is left of its variant: each holds units back by itself.

  A quantity of 0 is final and wins: the list that the orders were read from may be older than the
  release.
]]
local stored = redis.call('HMGET', KEYS[1], 'left', 'stockRevision', 'heldBack', 'heldSince', 'packedWindow', 'total')
local left, stockRevision, total = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[6])
if not left then return {10} end
local heldBack, heldSince = tonumber(stored[3] or '0'), tonumber(stored[4] or '0')

local lines, shoppers = {}, {}
for order, quantity, shopper, time, variant in string.gmatch(ARGV[1], '(%S+) (%d+) (%S+) (%d+)/?(%S*)') do
  lines[#lines + 1] = {order, quantity, time, variant}
  shoppers[#shoppers + 1] = shopper
end
if #lines == 0 then return {1, 0, left, stockRevision, total} end

local records, changed = {}, {}
for at, record in ipairs(redis.call('HMGET', KEYS[1], unpack(shoppers))) do records[shoppers[at]] = record or '' end
local moved, arrivedOf = {}, {}
local function move(units, variant, quantity)
  if variant ~= '' then units[variant] = (units[variant] or 0) + quantity end
end
-- An order may be listed twice, so each line sees the effect of the lines before it.
local after, arrived, count, corrected, ended = left, 0, 0, {}, {}
for at, line in ipairs(lines) do
  local order, quantity, time, variant, shopper = line[1], line[2], line[3], line[4], shoppers[at]
  local suffix = variant == '' and '' or '/' .. variant
  local record = records[shopper]
  local _, stop = string.find(record, order .. '=', 1, true)
  local held, heldAt, heldOf, rest = string.match(record, '^(%d+)@(%d+)/?(%S*)(.*)$', (stop or #record) + 1)
  local restored
  if not stop then
    local word = order .. '=' .. (quantity == '0' and '0' or quantity .. '@' .. time .. suffix)
    restored = record .. (record == '' and '' or ' ') .. word
    after = after - quantity
    move(moved, variant, -quantity)
    if tonumber(time) < heldSince then
      arrived = arrived + quantity
      move(arrivedOf, variant, quantity)
    end
  elseif quantity == '0' and held then
    move(moved, heldOf, held)
    local final = string.sub(record, 1, stop) .. '0' .. rest
    restored = '@' .. heldAt .. (string.sub(final, 1, 1) == '@' and ',' .. string.sub(final, 2) or ' ' .. final)
    after = after + held
    ended[#ended + 1] = order
  elseif held and (held ~= quantity or heldOf ~= variant) then
    restored = string.sub(record, 1, stop) .. quantity .. '@' .. heldAt .. suffix .. rest
    after = after + held - quantity
    move(moved, heldOf, held)
    move(moved, variant, -quantity)
  elseif not held and string.sub(record, stop + 1, stop + 1) ~= '0' then
    error('the record of a shopper is not readable')
  end
  if restored then
    records[shopper], changed[shopper] = restored, true
    if not corrected[order] then corrected[order], count = true, count + 1 end
  end
end
if count == 0 then return {1, 0, left, stockRevision, total} end

local fields = {}
for shopper in pairs(changed) do
  fields[#fields + 1] = shopper
  fields[#fields + 1] = records[shopper]
end
redis.call('HSET', KEYS[1], unpack(fields))
if #ended > 0 then redis.call('HDEL', KEYS[2], unpack(ended)) end
arrived = math.min(arrived, heldBack)
after = after + arrived
redis.call('HSET', KEYS[1], 'left', after, 'heldBack', heldBack - arrived)
local isRestock = left <= 0 and after > 0
for id, units in pairs(moved) do
  local counters = redis.call('HMGET', KEYS[1], 'left/' .. id, 'heldBack/' .. id)
  local before, held = tonumber(counters[1] or '0'), tonumber(counters[2] or '0')
  local found = math.min(arrivedOf[id] or 0, held)
  redis.call('HSET', KEYS[1], 'left/' .. id, before + units + found, 'heldBack/' .. id, held - found)
  if before <= 0 and before + units + found > 0 then isRestock = true end
end
if isRestock then
  stockRevision = stockRevision + 1
  redis.call('HSET', KEYS[1], 'stockRevision', stockRevision, 'tag', ARGV[2])
elseif string.sub(stored[5], 32, 38) == '!frozen' then
  redis.call('HSET', KEYS[1], 'tag', ARGV[2])
end
return {1, count, after, stockRevision, total}
