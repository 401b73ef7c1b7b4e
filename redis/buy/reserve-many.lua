#!lua flags=allow-key-locking
--[[
  reserve-many: take units of a sale for many orders, each of another shopper, in their order.

  KEYS[1] stock:{<sale>:0}           hash   left, tag, total, stockRevision, packedWindow, heldBack,
                                            settled; @<shopper id> -> the shopper's record, as in
                                            reserve.lua
  KEYS[2] stock:{<sale>:0}:outbox    hash   order -> order message as JSON
  ARGV[1] tag                        of the facts by which the caller decided

  For each of at most 200 orders five arguments follow, as in reserve.lua: `@<shopper id>`, quantity,
  first, order, order message. The quantity is 0 where nothing may be taken, and what the facts allow
  a new shopper otherwise. No shopper comes twice.

  Reply {code, ...}
    1 decided          left before the first order; then the place of each order whose units are not
                       left, and minus the place of each whose shopper has a record, or
                       whose units may be among those held back
    3 stale-facts      tag, total, stockRevision, packedWindow: decide again by these
   10 unknown-sale

  An order of a shopper who has a record needs the long way of reserve.lua, and so does one that may
  take the last unit while others are held back: its caller asks for it alone. All others are decided here by the same rules, and an order without enough units does not
  keep a smaller one after it from being taken. One read and two writes serve them all.
]]
local call, keys, argv = redis.call, KEYS, ARGV

local fields = {'left', 'tag', 'heldBack', 'settled'}
for at = 2, #argv, 5 do fields[#fields + 1] = argv[at] end
local stored = call('HMGET', keys[1], unpack(fields))
local left, tag = tonumber(stored[1]), stored[2]
local isHeldBack = stored[4] ~= '1' and tonumber(stored[3] or '0') > 0
if not tag then return {10} end
if tag ~= argv[1] then return {3, tag, unpack(call('HMGET', keys[1], 'total', 'stockRevision', 'packedWindow'))} end

local rest, others, records, messages = left, {}, {'left', ''}, {}
for place = 1, #fields - 4 do
  local at = 5 * place - 3
  local wanted = argv[at + 1]
  if stored[place + 4] then
    others[#others + 1] = -place
  elseif wanted ~= '0' then
    local after = rest - wanted
    if isHeldBack and after <= 0 then
      others[#others + 1] = -place
    elseif after < 0 then
      others[#others + 1] = place
    else
      rest = after
      records[#records + 1], records[#records + 2] = argv[at], argv[at + 2]
      messages[#messages + 1], messages[#messages + 2] = argv[at + 3], argv[at + 4]
    end
  end
end
if #messages > 0 then
  records[2] = rest
  call('HSET', keys[1], unpack(records))
  call('HSET', keys[2], unpack(messages))
end
return {1, left, unpack(others)}
