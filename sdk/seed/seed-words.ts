/** Words of seeded texts, most frequent first. None of the Chinese ones contains a character of the marker words. */
export const chineseWords = `
经验 方法 时间 问题 项目 团队 学习 工作 生活 数据 代码 系统 设计 用户 产品 服务 客户 市场 社区 分享
部署 测试 编程 语言 函数 接口 缓存 网络 安全 性能 优化 架构 模块 插件 主题 页面 样式 组件 状态 事件
任务 计划 目标 结果 过程 步骤 细节 思路 总结 建议 技巧 习惯 效率 质量 成本 预算 风险 机会 选择 决定
沟通 协作 会议 文档 笔记 清单 模板 工序 规范 标准 评审 反馈 改进 调整 尝试 失败 成功 成长 坚持 放弃
早晨 夜晚 周末 假期 旅行 城市 乡村 海边 山路 森林 湖泊 天气 季节 春天 夏天 秋天 冬天 阳光 雨水 雪花
咖啡 茶叶 面包 米饭 蔬菜 水果 牛肉 鸡蛋 豆腐 辣椒 厨房 烘焙 早餐 午餐 晚餐 味道 食谱 餐厅 外卖 火锅
跑步 游泳 骑行 登山 瑜伽 篮球 足球 健身 睡眠 饮食 体重 心情 压力 焦虑 放松 冥想 呼吸 医生 医院 药品
父母 孩子 朋友 同事 老师 学生 邻居 家人 伴侣 宠物 小猫 小狗 花园 阳台 客厅 卧室 书房 家具 装修 收纳
音乐 电影 小说 诗歌 绘画 摄影 相机 镜头 光线 色彩 构图 吉他 钢琴 舞蹈 戏剧 展览 博物 历史 文化 传统
手机 电脑 按键 鼠标 屏幕 耳机 电池 充电 软件 硬件 浏览 搜索 邮件 消息 密码 账号 备份 同步 云端 终端
地铁 公交 高铁 飞机 机场 车站 酒店 民宿 护照 签证 行李 地图 导航 路线 景点 门票 攻略 拍照 纪念 明信
租房 买房 合同 中介 押金 物业 水电 维修 搬家 快递 超市 购物 价格 折扣 账单 储蓄 基金 股票 保险 贷款
面试 简历 薪资 职业 跳槽 创业 公司 老板 领导 下属 绩效 晋升 加班 远程 自由 兼职 实习 毕业 考试 证书
英语 日语 法语 单词 语法 听力 口语 阅读 写作 翻译 课程 作业 论文 研究 实验 理论 公式 数学 物理 化学
种植 土壤 种子 浇水 施肥 修剪 工具 木工 缝纫 手工 材料 胶水 螺丝 尺寸 图纸 模型 拼图 积木 玩具 游戏
算法 队列 线程 进程 内存 存储 索引 查询 事务 日志 监控 告警 容器 镜像 集群 节点 负载 超时 重试 回滚
版本 分支 合并 提交 发布 迁移 兼容 依赖 配置 环境 变量 类型 对象 数组 字符 编码 格式 解析 渲染 布局
观察 记录 比较 分析 判断 推理 怀疑 验证 假设 证据 原因 影响 条件 限制 例外 边界 规则 原则 价值 意义
新手 专家 导师 读者 作者 编辑 志愿 伙伴 对手 观众 听众 粉丝 顾客 店主 农民 工人 司机 护士 律师 警察
昨天 今天 明天 最近 以前 以后 开始 结束 等待 提前 推迟 准时 匆忙 悠闲 突然 逐渐 经常 偶尔 从来 永远
`
  .trim()
  .split(/\s+/)

export const englishWords = `
time people work way day thing year life home team project idea plan code data system design user product service
market community lesson habit result problem method detail note list draft review feedback change goal step process choice decision risk cost
budget quality speed focus energy rest sleep food water coffee tea bread rice soup salad kitchen recipe dinner breakfast lunch
morning evening weekend holiday travel city village beach mountain forest lake weather season spring summer autumn winter rain snow wind
running swimming cycling climbing walking stretching training weight mood stress calm breath doctor patient medicine parent child friend colleague teacher student
neighbour family partner cat dog garden balcony room desk chair shelf lamp paint wall floor door window roof music film
novel poem drawing photo camera lens light colour frame guitar piano dance theatre museum history culture custom phone laptop keyboard
mouse screen battery charger software hardware browser search mail message password account backup sync cloud terminal train bus plane airport
station hotel hostel passport visa luggage map route ticket guide picture souvenir rent house contract agent deposit repair moving parcel
shop price discount bill saving fund insurance loan interview resume salary career startup company manager promotion overtime remote freelance internship
exam degree language word grammar listening speaking reading writing translation course homework paper research experiment theory formula maths physics chemistry
soil seed plant watering pruning tool wood needle thread glue screw size sketch model puzzle toy game algorithm queue process
memory disk index query transaction log monitor alert container image cluster node load timeout retry rollback version branch merge commit
release migration dependency config environment variable type object array string encoding format parser render layout cache network security performance structure
module theme page style component state event task meeting document template flow standard improvement attempt failure success growth patience courage
honesty trust respect humour beginner expert mentor reader writer editor volunteer rival audience listener customer owner farmer worker driver nurse
lawyer yesterday today tomorrow recently before after start finish waiting early late hurry slowly suddenly often rarely always never sometimes
simple hard quick slow cheap useful quiet loud bright dark warm cold fresh old young small large open closed honest
learn try build test measure compare explain share read write cook walk fix break buy sell save spend ask listen
wait move plan choose keep drop find lose open close begin finish teach help join leave grow rest think feel
`
  .trim()
  .split(/\s+/)

/** Chinese words that stand in a known share of the posts, for measuring search. */
export const markerWords = { '0.001': '琥珀', '0.01': '罗盘', '0.1': '灯塔', '0.5': '河流' } as const
