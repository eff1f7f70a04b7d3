"""A hundred everyday turns in English and Chinese: disclosures, questions, requests, small talk, moods, hearsay."""

from __future__ import annotations

ENGLISH = """
I'm allergic to peanuts, so please keep that in mind.
What's a good breakfast for a long run?
I moved to Lisbon in March and I work nights at the port.
ok thanks
My daughter Ines is seven and she plays the cello.
Can you write a short poem about the sea?
I prefer short answers without bullet points.
If I were rich I'd buy a boat.
hahaha nice one
I can't stand horror movies, they keep me awake.
My boss drinks three coffees before noon.
I've been learning Portuguese for two years.
Translate this: I always take the bus at six.
Is it going to rain tomorrow?
I'm so sick of this stupid printer!!!
From now on call me Nia.
I drink green tea in winter, never coffee.
Tell me a joke about penguins.
I used to live in Leeds, now I'm in Porto.
We adopted a cat called Miso last week.
I don't eat meat, but fish is fine.
good morning!
How do I reset my router?
My knee hurts when I walk downstairs.
I usually code in Rust and deploy on Fridays.
Suppose I am a pirate. What would I wear?
He said he will never come back to this town again.
I have a budget of 40 euros for the present.
thanks a lot, that helped
I want to run a half marathon in October.
Remind me to call the dentist.
My favourite composer is Satie.
I left Acme, I'm at Blue Harbour now.
Do you remember where I live?
I hate early meetings.
The weather is lovely here.
I'm a nurse and I teach first aid on weekends.
Please explain things step by step.
sounds good
My brother Tom lives in Osaka with his wife.
I need a table for two tonight.
I'm vegetarian now, no more fish.
What did Kant mean by duty?
I speak Polish and a bit of German.
The meeting is on 14 May at 9:30.
I never drink alcohol.
Why is the sky blue?
I collect old maps of rivers.
hmm let me think
I bought a second-hand bike, a blue one.
""".strip().splitlines()

CHINESE = """
我对虾过敏，点菜的时候记得提醒我。
明天会下雨吗？
我三月搬到了成都，在一家书店上班。
好的，谢谢
我女儿今年七岁，在学大提琴。
帮我写一首关于大海的诗。
我喜欢简短的回答，不要列表。
要是我有钱，我就买一条船。
哈哈哈太好笑了
我不看恐怖片，看了睡不着。
我老板一上午能喝三杯咖啡。
我学葡萄牙语两年了。
翻译一下：我每天六点坐公交车。
路由器怎么重启？
这破打印机真是气死我了！！！
以后都叫我小舟吧。
我冬天喝绿茶，从来不喝咖啡。
讲个关于企鹅的笑话。
我以前住在西安，现在住在苏州。
我们上周收养了一只猫，叫米苏。
我不吃肉，但是吃鱼。
早上好！
康德说的义务是什么意思？
我下楼的时候膝盖疼。
我平时用 Rust 写代码，周五上线。
假如我是海盗，我该穿什么？
他说他这辈子再也不回这个小镇了。
我的预算是四百块。
谢谢，帮大忙了
我想十月跑一次半程马拉松。
提醒我给牙医打电话。
我最喜欢的作曲家是萨蒂。
我离开了远山公司，现在在蓝港上班。
你还记得我住在哪里吗？
我讨厌早上开会。
今天天气真不错。
我是护士，周末教急救。
请一步一步地解释。
听起来不错
我哥哥和嫂子住在大阪。
今晚我要订一张两人的桌子。
我现在吃素，鱼也不吃了。
天空为什么是蓝色的？
我会说波兰语，还会一点德语。
会议在五月十四号九点半。
我从不喝酒。
嗯让我想想
我收藏老地图。
我买了一辆二手自行车，蓝色的。
下周我去上海出差。
""".strip().splitlines()

TURNS: tuple[str, ...] = tuple(line for pair in zip(ENGLISH, CHINESE, strict=True) for line in pair)
