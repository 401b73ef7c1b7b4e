#!lua flags=allow-key-locking
--[[
  wish: note that a shopper wants more units than a shard of a split stock has left.

  KEYS[1] stock:{<sale>:0}    hash   wish, wishes, scarce
  ARGV[1] units               in a sale with variants a basket, `<id>*<units>+<id>*<units>`
  ARGV[2] since               epoch ms; what was found before then is out of date

  Reply {code, left}
    1 noted     units may come from other shards; no left
    2 scarce    all shards together had only `left` units, less than are wanted; then `<variant> <left>` of
                each variant that has too few: nothing noted

  `wish` is `<units> <count>`, until the banker has served it. The last wish is enough, because
  shoppers who still want units ask again; `wishes` counts them. `scarce` is `<left> <epoch ms>`,
  written by the banker when it has looked at all shards (wishes.ts); in a sale with variants
  ` <id>*<left>+<id>*<left>` follows, of the variants that no shard has.
]]
local left, time, parts = string.match(redis.call('HGET', KEYS[1], 'scarce') or '', '^(%d+) (%d+)(.*)$')
if left and tonumber(time) >= tonumber(ARGV[2]) then
  local of, lacking = {}, {}
  for id, units in string.gmatch(parts, '([%w-]+)%*(%d+)') do of[id] = units end
  for id, units in string.gmatch(ARGV[1], '([%w-]+)%*(%d+)') do
    if of[id] and tonumber(of[id]) < tonumber(units) then lacking[#lacking + 1] = id .. ' ' .. of[id] end
  end
  if lacking[1] or tonumber(left) < (tonumber(ARGV[1]) or 0) then return {2, tonumber(left), unpack(lacking)} end
end
local count = redis.call('HINCRBY', KEYS[1], 'wishes', 1)
redis.call('HSET', KEYS[1], 'wish', ARGV[1] .. ' ' .. string.format('%d', count))
return {1}
