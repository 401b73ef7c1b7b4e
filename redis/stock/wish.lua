#!lua flags=allow-key-locking
--[[
  wish: note that a shopper wants more units than a shard of a split stock has left.

  KEYS[1] stock:{<sale>:0}    hash   wish, wishes, scarce
  ARGV[1] quantity            units that are wanted
  ARGV[2] since               epoch ms; what was found before then is out of date
  ARGV[3] variant             that they are of; absent in a sale without variants

  Reply {code, left}
    1 noted     units may come from other shards; no left
    2 scarce    all shards together had only `left` units, less than are wanted; in a sale with variants
                then what they had of the variant, if that was too little: nothing noted

  `wish` is `<quantity> <count>`, and ` <variant>` where there is one, until the banker has served it. The last wish is enough, because
  shoppers who still want units ask again; `wishes` counts them. `scarce` is `<left> <epoch ms>`,
  written by the banker when it has looked at all shards (wishes.ts); in a sale with variants
  ` <id>*<left>+<id>*<left>` follows, of the variants that no shard has.
]]
local quantity, variant = tonumber(ARGV[1]), ARGV[3]
local left, time, parts = string.match(redis.call('HGET', KEYS[1], 'scarce') or '', '^(%d+) (%d+)(.*)$')
if left and tonumber(time) >= tonumber(ARGV[2]) then
  for id, units in string.gmatch(parts, '([%w-]+)%*(%d+)') do
    if id == variant and tonumber(units) < quantity then return {2, tonumber(left), tonumber(units)} end
  end
  if not variant and tonumber(left) < quantity then return {2, tonumber(left)} end
end
local wish = ARGV[1] .. ' ' .. string.format('%d', redis.call('HINCRBY', KEYS[1], 'wishes', 1))
redis.call('HSET', KEYS[1], 'wish', variant and wish .. ' ' .. variant or wish)
return {1}
